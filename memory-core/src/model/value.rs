/// A value of a frontmatter key, free of any format's types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A number, as it is written.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// A mapping, in the order of the file.
    Map(Fields),
}

impl Value {
    /// The text, or `None` when the value is something else.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Keys and values in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(pub Vec<(String, Value)>);

impl Fields {
    /// The value of a key; of its last occurrence where it is given twice.
    ///
    /// ```
    /// use memory_core::{Fields, Value};
    ///
    /// let fields = Fields(vec![("name".to_owned(), Value::Text("tests".to_owned()))]);
    /// assert_eq!(fields.get("name").and_then(Value::as_text), Some("tests"));
    /// ```
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}
