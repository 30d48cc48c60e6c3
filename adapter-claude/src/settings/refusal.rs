//! Command lines with which the client does not start.

use memory_core::{AbsPath, World};
use serde_json::Value;

use super::arguments::Arguments;
use super::layout::Layout;
use crate::settings;
use crate::text::json;

/// What the client says when these arguments keep it from starting; `None` when they do not.
///
/// It looks at settings before it looks at anything else.
pub(crate) fn refusal(world: World<'_>, layout: &Layout, arguments: &Arguments) -> Option<String> {
    setting_sources(arguments)
        .or_else(|| settings_file(world, layout, arguments))
        .or_else(|| arguments.refused.clone())
        .or_else(|| agents(world, layout, arguments))
        .or_else(|| mcp_configs(world, layout, arguments))
}

fn setting_sources(arguments: &Arguments) -> Option<String> {
    let mut sources = arguments.setting_sources.as_deref()?.split(',').map(str::trim);
    let name = sources.find(|name| !matches!(*name, "" | "user" | "project" | "local"))?;
    Some(format!(
        "Error processing --setting-sources: Invalid setting source: {name}. Valid options are: user, project, local"
    ))
}

fn settings_file(world: World<'_>, layout: &Layout, arguments: &Arguments) -> Option<String> {
    let given = arguments.settings.as_deref().filter(|given| settings::parse(given).is_err())?;
    let path = layout.cwd.join(given);
    match world.fs.metadata(&path) {
        Err(_) => Some(format!("Error: Settings file not found: {path}")),
        Ok(found) if found.is_dir() => Some(format!(
            "Error: Cannot use settings file (EISDIR: illegal operation on a directory, read): {path}"
        )),
        Ok(_) => None,
    }
}

/// Checks the agents that stand on the command line; those in a file are not looked at.
fn agents(world: World<'_>, layout: &Layout, arguments: &Arguments) -> Option<String> {
    let given = arguments.agents.as_deref().map(str::trim).filter(|given| !given.is_empty())?;
    if !given.starts_with(['{', '[']) {
        let path = layout.cwd.join(given);
        let missing = world.fs.metadata(&path).is_err();
        return missing.then(|| {
            format!("Error: --agents file not found: {path} (a value that is not a JSON object is read as a file path)")
        });
    }
    let wrong = match json::parse(given.as_bytes()) {
        Err(_) => "invalid JSON".to_owned(),
        Ok(Value::Object(agents)) => {
            let fields = agents
                .iter()
                .flat_map(|(name, agent)| ["description", "prompt"].map(|key| (name, agent, key)));
            let missing = fields.filter(|(_, agent, key)| agent.get(key).is_none());
            let told = missing.map(|(name, _, key)| {
                format!("{name}.{key}: Invalid input: expected string, received undefined")
            });
            told.collect::<Vec<_>>().join("\n")
        }
        Ok(_) => "Invalid input: expected record, received array".to_owned(),
    };
    (!wrong.is_empty()).then(|| format!("Error: Invalid --agents configuration:\n{wrong}"))
}

fn mcp_configs(world: World<'_>, layout: &Layout, arguments: &Arguments) -> Option<String> {
    let files = arguments.mcp_configs.iter().filter(|given| !given.trim().starts_with('{'));
    let paths = files.map(|given| layout.cwd.join(given));
    let missing = paths.filter(|path: &AbsPath| world.fs.metadata(path).is_err());
    let told: Vec<_> = missing.map(|path| format!("MCP config file not found: {path}")).collect();
    (!told.is_empty()).then(|| format!("Error: Invalid MCP configuration:\n{}", told.join("\n")))
}

#[cfg(test)]
mod tests {
    use memory_core::Env;
    use memory_core::fs::MemFs;

    use super::*;

    fn refused(args: &[&str]) -> Option<String> {
        let mut fs = MemFs::from_files([("/w/ok.json", "{}")]);
        fs.dir("/w/dir");
        let env = Env::with_home(AbsPath::new("/h").unwrap());
        let world = World { fs: &fs, env: &env };
        let layout = Layout::find(world, &AbsPath::new("/w").unwrap()).unwrap();
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        refusal(world, &layout, &Arguments::read(&args))
    }

    #[test]
    fn files_that_are_named_have_to_be_there() {
        for option in ["--settings", "--mcp-config", "--agents"] {
            assert_eq!(refused(&[option, "ok.json"]), None, "{option}");
            assert!(refused(&[option, "none.json"]).unwrap().contains("not found: /w/none.json"));
        }
        assert!(refused(&["--settings", "dir"]).unwrap().contains("EISDIR"));
    }

    #[test]
    fn settings_are_looked_at_before_the_rest() {
        let told = refused(&["--bogus", "--settings", "/nope"]).unwrap();
        assert_eq!(told, "Error: Settings file not found: /nope");
        let told = refused(&["--agents", "{", "--bare=1", "--permission-mode", "x"]).unwrap();
        assert!(told.starts_with("error: option '--permission-mode <mode>' argument 'x'"));
    }

    #[test]
    fn agents_need_a_description_and_a_prompt() {
        assert_eq!(refused(&["--agents", r#"{"a": {"description": "d", "prompt": "p"}}"#]), None);
        let told = refused(&["--agents", r#"{"a": {"prompt": "p"}}"#]).unwrap();
        assert!(
            told.ends_with("\na.description: Invalid input: expected string, received undefined")
        );
        assert!(refused(&["--agents", "[]"]).is_some() && refused(&["--agents", " "]).is_none());
    }
}
