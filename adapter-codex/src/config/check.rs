//! What stops the client although every file could be read.

use std::collections::BTreeMap;

use memory_core::AbsPath;
use toml::Value;

use super::arguments::Arguments;
use super::file::place;
use super::layer::{Layer, LayerSource};
use super::refusal::{Place, Refusal};
use super::schema::ConfigToml;
use super::types::FeaturesToml;

/// The refusal for a merged value of the wrong type.
pub(super) fn type_refusal(layers: &[Layer], error: &toml::de::Error) -> Refusal {
    Refusal::Type { merged: error.to_string().trim_end().to_owned(), place: first_place(layers) }
}

/// The first wrong place of the first file that is wrong by itself.
pub(super) fn first_place(layers: &[Layer]) -> Option<Place> {
    layers.iter().find_map(|layer| {
        let error = toml::from_str::<ConfigToml>(&layer.text).err()?;
        let span = error.span().filter(|span| span.start > 0);
        let span = span.or_else(|| wrong_feature(&layer.text)).unwrap_or_default();
        Some(place(layer.path.as_ref()?, &layer.text, span, error.message()))
    })
}

/// Where the first feature stands that is no boolean and may be nothing else:
/// the general reading of the table does not say.
fn wrong_feature(text: &str) -> Option<std::ops::Range<usize>> {
    #[derive(serde::Deserialize)]
    struct Features {
        features: BTreeMap<String, toml::Spanned<Value>>,
    }
    let features = toml::from_str::<Features>(text).ok()?.features;
    features
        .into_iter()
        .filter(|(name, value)| {
            !value.get_ref().is_bool() && !FeaturesToml::TABLES.contains(&name.as_str())
        })
        .map(|(_, value)| value.span())
        .min_by_key(|span| span.start)
}

/// Settings of older releases that the client no longer takes.
pub(super) fn legacy(
    args: &Arguments,
    codex_home: &AbsPath,
    layers: &[Layer],
    config: &ConfigToml,
) -> Result<(), Refusal> {
    let user = layers.iter().find(|layer| layer.source == LayerSource::User);
    if let (Some(name), Some(user)) = (&args.profile, user) {
        let selects = user.values.get("profile").and_then(Value::as_str) == Some(name);
        let table = user.values.get("profiles").and_then(|profiles| profiles.get(name));
        if selects || table.is_some() {
            return Err(Refusal::Load(format!(
                "--profile `{name}` cannot be used while {codex_home}/config.toml contains legacy `profile = \"{name}\"` or `[profiles.{name}]` config; move those settings into {codex_home}/{name}.config.toml and remove the legacy profile selector/table. See https://developers.openai.com/codex/config-advanced#profiles for more information."
            )));
        }
    }
    if let Some(name) = &config.profile {
        return Err(Refusal::Plain(format!(
            "legacy `profile = \"{name}\"` config is no longer supported; use `--profile {name}` with `{name}.config.toml` instead"
        )));
    }
    if config.experimental_thread_store_endpoint.is_some() {
        return Err(Refusal::Plain(
            "`experimental_thread_store_endpoint` is no longer supported; remove it from config.toml"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Top-level keys of the layers' files that the client does not know.
pub(super) fn unknown_keys(layers: &[Layer]) -> Vec<(AbsPath, String)> {
    let mut unknown = Vec::new();
    for layer in layers {
        let Some(path) = &layer.path else { continue };
        let values = Value::Table(layer.values.clone());
        let mut note = |key: serde_ignored::Path<'_>| {
            let key = key.to_string();
            if !key.contains('.') {
                unknown.push((path.clone(), key));
            }
        };
        // What does not fit is told elsewhere; here only the names matter.
        drop(serde_ignored::deserialize::<_, _, ConfigToml>(values, &mut note));
    }
    unknown
}

/// `--strict-config`: an unknown key stops the client.
pub(super) fn refuse_unknown_keys(layers: &[Layer]) -> Result<(), Refusal> {
    let unknown: BTreeMap<_, _> = unknown_keys(layers).into_iter().collect();
    for layer in layers {
        let Some((path, key)) = layer.path.as_ref().and_then(|path| unknown.get_key_value(path))
        else {
            continue;
        };
        let line = layer.text.lines().position(|line| {
            let line = line.trim_start().trim_start_matches('[');
            line.trim_start_matches(['"', '\'']).starts_with(key.as_str())
        });
        let source = line.and_then(|line| layer.text.lines().nth(line)).unwrap_or_default();
        let column = source.find(key.as_str()).unwrap_or_default() + 1;
        return Err(Refusal::Located {
            place: Place {
                file: path.to_string(),
                line: line.unwrap_or_default() + 1,
                column,
                width: key.chars().count(),
                source: source.to_owned(),
                message: format!("unknown configuration field `{key}`"),
            },
            cause: None,
        });
    }
    Ok(())
}
