//! Meaning beside words: a model from outside, and how its answer is put together with
//! that of the words.

/// What a text is embedded for: some models want to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmbedAs {
    /// What is asked.
    Query,
    /// What may answer.
    Passage,
}

/// A model that turns texts into vectors.
pub trait Embed {
    /// The model's name: vectors of two names are not compared.
    fn name(&self) -> &str;

    /// How many numbers a vector has.
    fn dimensions(&self) -> usize;

    /// A vector for each text, in their order.
    fn embed(&self, texts: &[&str], use_as: EmbedAs) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Why a model did not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model `{model}` does not answer: {message}")]
pub struct EmbedError {
    /// The model.
    pub model: String,
    /// What it says.
    pub message: String,
}

/// How words and meaning are put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fusion {
    /// Scores between 0 and 1, added; words count this much, meaning the rest.
    Scores(f32),
    /// Places: one over the place and this number, added.
    Ranks(f32),
}

impl Default for Fusion {
    /// Scores: with a multilingual model they were ahead of places in every measure.
    fn default() -> Self {
        Self::Scores(0.2)
    }
}

/// How alike two vectors are, between -1 and 1; 0 where one has no length.
pub fn cosine_of(one: &[f32], other: &[f32]) -> f32 {
    let dot: f32 = one.iter().zip(other).map(|(a, b)| a * b).sum();
    let norm = |vector: &[f32]| vector.iter().map(|a| a * a).sum::<f32>().sqrt();
    let norms = norm(one) * norm(other);
    if norms > 0.0 { dot / norms } else { 0.0 }
}
