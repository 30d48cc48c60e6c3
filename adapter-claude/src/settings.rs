//! The client's settings, layer by layer.

pub(crate) mod approval;
pub(crate) mod arguments;
pub(crate) mod git;
pub(crate) mod layout;
pub(crate) mod permissions;
pub(crate) mod refusal;
mod schema;

use memory_core::{AbsPath, Code, Diagnostic, Env, Severity, World};
use serde_json::{Map, Value};

use crate::settings::arguments::Arguments;
use crate::settings::layout::Layout;
use crate::text::json;

/// The largest settings file that is read, in bytes.
const MAX_LEN: u64 = 8 * 1024 * 1024;

/// Where a layer of settings comes from; the order is that of precedence, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SettingsSource {
    /// `~/.claude/settings.json`.
    User,
    /// `.claude/settings.json` in the start folder.
    Project,
    /// `.claude/settings.local.json` in the start folder and in the main checkout's root.
    Local,
    /// `--settings`.
    CommandLine,
    /// The organisation's file and its drop-ins.
    Managed,
}

/// One file of settings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SettingsLayer {
    /// Where it comes from.
    pub(crate) source: SettingsSource,
    /// The file, or `None` for JSON on the command line.
    pub(crate) path: Option<AbsPath>,
    /// Its keys.
    pub(crate) values: Map<String, Value>,
}

/// Which of the three ordinary sources are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sources {
    /// The person's own.
    pub(crate) user: bool,
    /// Checked in with the project.
    pub(crate) project: bool,
    /// The person's own, for this project.
    pub(crate) local: bool,
}

/// All settings, and the environment that they change.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    /// The layers, weakest first.
    pub(crate) layers: Vec<SettingsLayer>,
    /// Which sources are read; they decide on instruction files too.
    pub(crate) sources: Sources,
    env: Env,
}

impl Settings {
    /// Reads all settings; what is odd in them goes to `told`.
    pub(crate) fn read(
        world: World<'_>,
        layout: &Layout,
        arguments: &Arguments,
        told: &mut Vec<Diagnostic>,
    ) -> Self {
        let sources = Sources::of(arguments);
        let project = layout.cwd.join(".claude");
        let mut reader = Reader { world, told, layers: Vec::new() };
        if sources.user {
            reader.file(SettingsSource::User, layout.config.join("settings.json"));
        }
        if sources.project {
            reader.file(SettingsSource::Project, project.join("settings.json"));
        }
        if sources.local {
            if let Some(shared) = layout.local_settings.as_ref().filter(|dir| **dir != project) {
                reader.file(SettingsSource::Local, shared.join("settings.local.json"));
            }
            reader.file(SettingsSource::Local, project.join("settings.local.json"));
        }
        if let Some(given) = &arguments.settings {
            reader.given(given, &layout.cwd);
        }
        reader.file(SettingsSource::Managed, layout.managed.join("managed-settings.json"));
        reader.drop_ins(&layout.managed.join("managed-settings.d"));
        let layers = reader.layers;
        let mut env = world.env.clone();
        for (name, value) in
            layers.iter().filter_map(|layer| layer.values.get("env")).flat_map(env_of)
        {
            env.vars.insert(name.to_owned(), value);
        }
        Self { layers, sources, env }
    }

    /// The value of a key in the strongest layer in which it is what the client accepts.
    pub(crate) fn find(
        &self,
        key: &str,
        accepts: impl Fn(&Value) -> bool,
    ) -> Option<(&SettingsLayer, &Value)> {
        self.layers.iter().rev().find_map(|layer| {
            layer.values.get(key).filter(|value| accepts(value)).map(|value| (layer, value))
        })
    }

    /// The texts of a list that all layers add to, weakest layer first.
    pub(crate) fn texts<'a>(
        &'a self,
        key: &'a str,
    ) -> impl Iterator<Item = (&'a SettingsLayer, &'a str)> {
        self.layers.iter().flat_map(move |layer| {
            let items = layer.values.get(key).and_then(Value::as_array);
            items.into_iter().flatten().filter_map(move |item| Some((layer, item.as_str()?)))
        })
    }

    /// A variable of the environment; settings may set it too.
    pub(crate) fn var(&self, name: &str) -> Option<&str> {
        self.env.var(name)
    }

    /// Whether a variable is set to `1`, `true`, `yes` or `on`.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        let value = self.var(name).unwrap_or_default().trim().to_ascii_lowercase();
        matches!(value.as_str(), "1" | "true" | "yes" | "on")
    }
}

impl SettingsLayer {
    /// How to name one key of this layer to people.
    pub(crate) fn name(&self, key: &str) -> String {
        match &self.path {
            Some(path) => format!("`{key}` in {path}"),
            None => format!("`{key}` given with --settings"),
        }
    }
}

impl Sources {
    fn of(arguments: &Arguments) -> Self {
        if arguments.restricted {
            return Self { user: false, project: false, local: false };
        }
        let Some(list) = &arguments.setting_sources else {
            return Self { user: true, project: true, local: true };
        };
        let has = |name| list.split(',').any(|part| part.trim() == name);
        Self { user: has("user"), project: has("project"), local: has("local") }
    }
}

fn env_of(value: &Value) -> impl Iterator<Item = (&str, String)> {
    value.as_object().into_iter().flatten().filter_map(|(name, value)| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(yes) => yes.to_string(),
            _ => return None,
        };
        Some((name.as_str(), text))
    })
}

struct Reader<'a> {
    world: World<'a>,
    told: &'a mut Vec<Diagnostic>,
    layers: Vec<SettingsLayer>,
}

impl Reader<'_> {
    fn file(&mut self, source: SettingsSource, path: AbsPath) {
        let unreadable = "put a file in its place that the client may read";
        match self.world.fs.metadata(&path) {
            Ok(found) if found.is_file() => {}
            Ok(_) => return self.tell(Some(&path), "they are no regular file", unreadable),
            Err(error) if error.is_absence() => return,
            Err(error) => return self.tell(Some(&path), &error.to_string(), unreadable),
        }
        let bytes = match self.world.fs.read_up_to(&path, MAX_LEN) {
            Ok(bytes) => bytes,
            Err(error) => return self.tell(Some(&path), &error.to_string(), unreadable),
        };
        match parse(&String::from_utf8_lossy(&bytes)) {
            Ok(values) => self.layer(source, Some(path), values),
            Err(why) => {
                self.tell(Some(&path), &why, "mend the JSON: no key of the file counts until then");
            }
        }
    }

    fn given(&mut self, given: &str, cwd: &AbsPath) {
        match parse(given) {
            Ok(values) => self.layer(SettingsSource::CommandLine, None, values),
            Err(_) => self.file(SettingsSource::CommandLine, cwd.join(given)),
        }
    }

    /// Adds a layer: one wrong value makes the client drop the whole file, save
    /// the organisation's, which loses only that key.
    fn layer(
        &mut self,
        source: SettingsSource,
        path: Option<AbsPath>,
        mut values: Map<String, Value>,
    ) {
        let refused = schema::refused(&values);
        if let [key, ..] = refused.as_slice() {
            let why = format!("the value of `{key}` is not what it expects");
            let help = if source == SettingsSource::Managed {
                "mend that value: the other keys count all the same"
            } else {
                "mend or remove that value: none of the other keys counts beside it"
            };
            self.tell(path.as_ref(), &why, help);
        }
        if !refused.is_empty() && source != SettingsSource::Managed {
            return;
        }
        for key in refused {
            values.remove(key);
        }
        self.layers.push(SettingsLayer { source, path, values });
    }

    /// Tells of settings that the client ignores; without a file they stand on the command line.
    fn tell(&mut self, path: Option<&AbsPath>, why: &str, help: &str) {
        let which = if path.is_some() { "these settings" } else { "the settings of `--settings`" };
        let message = format!("the client ignores {which}: {why}");
        let code = Code("claude/settings-unreadable");
        let told = Diagnostic::new(code, Severity::Warning, message).help(help);
        self.told.push(match path {
            Some(path) => told.at(path),
            None => told,
        });
    }

    /// Files of a folder, in the order of their names.
    fn drop_ins(&mut self, dir: &AbsPath) {
        let Ok(entries) = self.world.fs.read_dir(dir) else { return };
        let mut names: Vec<String> = entries
            .filter_map(Result::ok)
            .map(|entry| entry.name)
            .filter(|name| name.strip_suffix(".json").is_some() && !name.starts_with('.'))
            .collect();
        names.sort();
        for name in names {
            self.file(SettingsSource::Managed, dir.join(name));
        }
    }
}

/// Reads the text of a settings file, or says what is wrong with it.
pub(crate) fn parse(text: &str) -> Result<Map<String, Value>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match json::parse(text.as_bytes()) {
        Ok(Value::Object(values)) => Ok(values),
        Ok(_) => Err("they are no JSON object".to_owned()),
        Err(error) => Err(format!("they are no JSON: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;

    use super::*;
    use crate::claude::{Claude, Query};

    fn read(files: &[(&str, &str)], args: &[&str]) -> (Settings, Vec<Diagnostic>) {
        let mut fs = MemFs::from_files(files.iter().copied());
        fs.dir("/w");
        let env = Env::with_home(AbsPath::new("/h").unwrap());
        let world = World { fs: &fs, env: &env };
        let layout = Layout::find(world, &AbsPath::new("/w").unwrap()).unwrap();
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let mut told = Vec::new();
        let settings = Settings::read(world, &layout, &Arguments::read(&args), &mut told);
        (settings, told)
    }

    #[test]
    fn the_strongest_layer_wins_and_lists_add_up() {
        let files = [
            ("/h/.claude/settings.json", r#"{"a": 1, "l": ["u"]}"#),
            ("/w/.claude/settings.json", r#"{"a": 2, "l": ["p"]}"#),
            ("/etc/claude-code/managed-settings.d/1.json", r#"{"a": 3}"#),
        ];
        let (settings, _) = read(&files, &["--settings", r#"{"l": ["c"]}"#]);
        assert_eq!(
            settings.find("a", Value::is_number).map(|(_, value)| value),
            Some(&Value::from(3))
        );
        let texts: Vec<_> = settings.texts("l").map(|(_, text)| text).collect();
        assert_eq!(texts, ["u", "p", "c"]);
    }

    #[test]
    fn sources_can_be_left_out() {
        let files = [("/h/.claude/settings.json", r#"{"a": 1}"#)];
        assert!(
            read(&files, &["--setting-sources", "project"]).0.find("a", Value::is_number).is_none()
        );
        assert!(
            read(&files, &["--setting-sources", "user,local"])
                .0
                .find("a", Value::is_number)
                .is_some()
        );
    }

    #[test]
    fn settings_may_set_variables() {
        let files = [("/h/.claude/settings.json", r#"{"env": {"A": "1", "B": 2}}"#)];
        let (settings, _) = read(&files, &[]);
        assert_eq!((settings.var("A"), settings.var("B")), (Some("1"), Some("2")));
    }

    #[test]
    fn one_wrong_value_drops_a_file_but_not_the_organisation_s() {
        let wrong = r#"{"a": 1, "model": 5}"#;
        assert!(read(&[("/h/.claude/settings.json", wrong)], &[]).0.layers.is_empty());
        let (settings, told) = read(&[("/etc/claude-code/managed-settings.json", wrong)], &[]);
        assert!(settings.find("a", Value::is_number).is_some());
        assert!(settings.find("model", Value::is_number).is_none());
        assert_eq!(told.len(), 1);
    }

    #[test]
    fn broken_settings_are_told() {
        let (settings, told) = read(&[("/w/.claude/settings.json", "{")], &[]);
        assert!(settings.layers.is_empty());
        assert_eq!(told[0].code.0, "claude/settings-unreadable");
        assert!(told[0].help.is_some());
    }

    #[test]
    fn settings_that_cannot_be_read_or_stand_on_the_command_line_are_told() {
        let (_, told) = read(&[("/w/.claude/settings.json/x", "")], &[]);
        assert_eq!(told.len(), 1);
        let (_, told) = read(&[], &["--settings", r#"{"claudeMdExcludes": 5}"#]);
        assert_eq!((told.len(), told[0].path.is_none()), (1, true));
        let mut fs = MemFs::from_files([("/h/.claude/settings.json", "{}")]);
        fs.dir("/w").mode("/h/.claude/settings.json", 0);
        let env = Env::with_home(AbsPath::new("/h").unwrap());
        let query = Query::new(AbsPath::new("/w").unwrap());
        let found = Claude::default().resolve(World { fs: &fs, env: &env }, &query).unwrap();
        assert_eq!(found.diagnostics[0].code.0, "claude/settings-unreadable");
    }
}
