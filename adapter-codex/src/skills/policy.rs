//! `agents/openai.yaml`: whether the model may be told of a skill.

use memory_core::AbsPath;
use memory_core::fs::Fs;
use serde::Deserialize;

use super::yaml;

/// What `agents/openai.yaml` says about the listing of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// Nothing that hides it.
    Open,
    /// It is for other products.
    OtherProduct,
    /// It starts only when it is named.
    OnlyByName,
    /// The file cannot be read, and nothing in it counts.
    Ignored {
        /// The file.
        path: AbsPath,
        /// What is wrong.
        why: String,
    },
}

/// The whole file: what is wrong anywhere makes all of it count for nothing.
#[derive(Deserialize)]
struct File {
    #[serde(default, rename = "interface")]
    _interface: Option<Interface>,
    #[serde(default, rename = "dependencies")]
    _dependencies: Option<Dependencies>,
    #[serde(default)]
    policy: Option<Rules>,
}

#[derive(Deserialize)]
struct Interface {
    #[serde(rename = "display_name")]
    _display_name: Option<String>,
    #[serde(rename = "short_description")]
    _short_description: Option<String>,
    #[serde(rename = "icon_small")]
    _icon_small: Option<String>,
    #[serde(rename = "icon_large")]
    _icon_large: Option<String>,
    #[serde(rename = "brand_color")]
    _brand_color: Option<String>,
    #[serde(rename = "default_prompt")]
    _default_prompt: Option<String>,
}

#[derive(Deserialize)]
struct Dependencies {
    #[serde(default, rename = "tools")]
    _tools: Vec<Tool>,
}

#[derive(Deserialize)]
struct Tool {
    #[serde(rename = "type")]
    _kind: Option<String>,
    #[serde(rename = "value")]
    _value: Option<String>,
    #[serde(rename = "description")]
    _description: Option<String>,
    #[serde(rename = "transport")]
    _transport: Option<String>,
    #[serde(rename = "command")]
    _command: Option<String>,
    #[serde(rename = "url")]
    _url: Option<String>,
    #[serde(rename = "oauth")]
    _oauth: Option<OAuth>,
}

#[derive(Deserialize)]
struct OAuth {
    #[serde(rename = "callbackPort", alias = "callback_port")]
    _callback_port: Option<u16>,
}

#[derive(Deserialize)]
struct Rules {
    #[serde(default)]
    allow_implicit_invocation: Option<bool>,
    #[serde(default)]
    products: Vec<Product>,
}

#[derive(PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Product {
    #[serde(alias = "CHATGPT")]
    Chatgpt,
    #[serde(alias = "CODEX")]
    Codex,
    #[serde(alias = "ATLAS")]
    Atlas,
}

/// Reads the policy of the skill in this real folder.
pub(super) fn read(fs: &dyn Fs, folder: &AbsPath) -> Policy {
    let path = folder.join("agents/openai.yaml");
    if !fs.metadata(&path).is_ok_and(|found| found.is_file()) {
        return Policy::Open;
    }
    let ignored = |why: String| Policy::Ignored { path: path.clone(), why };
    let bytes = match fs.read_up_to(&path, yaml::MAX_BYTES as u64 + 1) {
        Ok(bytes) => bytes,
        Err(error) => return ignored(error.to_string()),
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return ignored("the file is not valid UTF-8".to_owned());
    };
    let rules = match yaml::read::<File>(&text) {
        Ok(file) => file.policy,
        Err(error) => return ignored(error.why()),
    };
    match rules {
        Some(rules) if !rules.products.is_empty() && !rules.products.contains(&Product::Codex) => {
            Policy::OtherProduct
        }
        Some(Rules { allow_implicit_invocation: Some(false), .. }) => Policy::OnlyByName,
        _ => Policy::Open,
    }
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;

    use super::*;

    fn policy(text: &str) -> Policy {
        let fs = MemFs::from_files([("/s/agents/openai.yaml", text)]);
        read(&fs, &AbsPath::new("/s").unwrap())
    }

    #[test]
    fn a_skill_is_hidden_only_by_a_file_that_is_right_all_through() {
        const HIDE: &str = "policy:\n  allow_implicit_invocation: false\n";
        assert_eq!(policy(HIDE), Policy::OnlyByName);
        assert_eq!(policy(&format!("{HIDE}foo: [1]\n")), Policy::OnlyByName);
        for rest in
            ["interface: text\n", "dependencies: x\n", "  products: codex\n", "policy: {}\n"]
        {
            let policy = policy(&format!("{HIDE}{rest}"));
            assert!(matches!(policy, Policy::Ignored { .. }), "{rest}: {policy:?}");
        }
        assert_eq!(policy(""), Policy::Open);
        assert_eq!(policy("policy:\n"), Policy::Open);
        assert!(matches!(
            policy("policy: {allow_implicit_invocation: \"false\"}"),
            Policy::Ignored { .. }
        ));
    }

    #[test]
    fn products_hide_a_skill_unless_codex_is_among_them() {
        for (products, want) in [
            ("[]", Policy::Open),
            ("[codex, chatgpt]", Policy::Open),
            ("[CODEX]", Policy::Open),
            ("[chatgpt]", Policy::OtherProduct),
            ("[ATLAS]", Policy::OtherProduct),
        ] {
            assert_eq!(policy(&format!("policy: {{products: {products}}}")), want);
        }
        assert!(matches!(policy("policy: {products: [Codex]}"), Policy::Ignored { .. }));
    }
}
