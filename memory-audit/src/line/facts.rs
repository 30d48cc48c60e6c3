//! Several facts in one entry: each of them ages on its own.

use std::collections::HashSet;

use crate::pattern::patterns;
use crate::script::{is_japanese, is_japanese_char, is_kanji, is_katakana};
use crate::sentence::{sentences, without_quoted};

patterns! {
    /// What goes on with the fact before.
    CONTINUED = [
        "^(?:ほか|他|それ|これ|その|この|そこ|ここ|ただし|但し|例外|代わり|かわり|なお|ので|よって|だから|したがって|つまり|残り|以外|上記|同じ|両方|どちら|いずれ|前者|後者|理由|出典|条件|しない|旧|詳しく|詳細|例えば|たとえば|逆に|一方|反対に|すると|しかし|でも|前は|以前は|もとは|元は|社外|対象|期限|期間)",
        r"^(?:it|its|this|that|these|those|they|their|them|he|she|other|others|otherwise|then|so|else|the rest|instead|both|either|neither|such|same|except|only|but|however|because|since|as|for example|e\.g|reason|why|source|there|here|note|see|ask|do not|don't|never|always|use|keep|anything|everything|nothing|no|not|when|if|unless|until|after|before|was|formerly|how to apply|exception|instead of|even|hence|thus|therefore|in that case|which|who|one|none|all of|most of|each)\b",
    ];
    /// What adds one more.
    ADDED = [
        "(?:^|。|、)\\s*(?:あと|それと|それから|ついでに|ちなみに|また|さらに|加えて|おまけに|別件|ほかに|他に|そういえば)[、はも]?",
        r"(?:^|[.;]\s+)(?:also|by the way|btw|plus|and also|in addition|additionally|unrelated|separately|another thing|on another note|besides|furthermore|moreover)\b",
    ];
    /// The topic of a Japanese clause.
    TOPIC = [r"(?:^|[、。，\s])(?:[^、。，\s]{1,24}?)は(?:[^、。]|$)"];
    /// A topic that only says when, where or for whom.
    ASIDE = ["(?:ときに?|時に?|場合に?|際に?|前に?|後に?|中に?|日に?|夜に?|朝に?|週に?|月に?|年に?|で|に|と|から|まで|より|へ|ほか|他|それ|これ|以外|例外|残り|また|今|いま|前|以前|午前|午後|平日|休日|土日|逆|一方|次|あと|もう|実|まず|または|あるい|とき|ある)は.?$"];
    /// An English clause with a subject and a verb of its own.
    CLAUSE = [r"^(?:(?:the|a|an|our|all|every|each|any|some|most|new|old|my|your)\s+)?[\w'`\-./]+(?:\s+[\w'`\-./]+){0,4}?\s+(?:is|are|was|were|has|have|must|should|can|cannot|can't|may|will|do|does|don't|doesn't|did|uses?|runs?|goes|go|ends?|needs?|lives?|stays?|takes?|keeps?|holds?|resets?|dislikes?|likes?|prefers?|wants?|comes?|starts?|expires?|closes?|opens?|costs?|reads?|writes?|sits?|works?|returns?|speaks?|lasts?|requires?|allows?|belongs?|happens?|ships?|deploys?|moves?|rotates?|follows?|points?|hates?|gets?|sends?|stores?|contains?|owns?|leaves?|arrives?|begins?|counts?|knows?|shows?|stacks?|breaks?|fails?|supports?|freezes?|renews?|changes?|accepts?|covers?|pays?|wins?|stops?|handles?|answers?|lists?|rejects?|talks?|wakes?|sleeps?|refreshes?)\b"];
}

/// Whether an entry holds several facts that have nothing to do with each other.
pub(super) fn find(statement: &str) -> bool {
    let plain = without_quoted(statement);
    let mut said = HashSet::new();
    let mut facts = 0_usize;
    for sentence in sentences(&plain) {
        if is_japanese(sentence) {
            facts += japanese(sentence, &mut said);
        } else {
            facts += english(sentence, &mut said);
        }
    }
    facts >= 3 || facts == 2 && ADDED.is_in(&plain)
}

/// How many new facts a Japanese sentence begins: one for each topic of its own.
fn japanese(sentence: &str, said: &mut HashSet<String>) -> usize {
    let sentence = sentence.trim();
    let is_first = said.is_empty();
    let mut found = 0;
    if is_first || !CONTINUED.is_in(sentence) {
        let mut rest = sentence;
        let mut topics = Vec::new();
        for at in TOPIC.find_all(sentence) {
            let topic = sentence.get(at).unwrap_or_default();
            let topic = topic.trim_start_matches(['、', '。', '，', ' ', '　']);
            let name = topic.rsplit_once('は').map_or(topic, |(name, _)| name);
            let name = ["あと", "それと", "また", "ついでに", "ちなみに", "それから"]
                .iter()
                .fold(name, |name, word| name.trim_start_matches(word));
            if !name.is_empty() && !ASIDE.is_in(topic) {
                topics.push(name);
            }
        }
        if topics.is_empty() {
            topics.push(rest);
        }
        for topic in topics {
            let words = words(topic);
            let is_new = !words.is_empty() && words.iter().all(|word| !said.contains(word));
            found += usize::from(is_new);
            said.extend(words);
            rest = "";
        }
        let _ = rest;
    }
    said.extend(words(sentence));
    found
}

/// How many new facts an English sentence begins.
fn english(sentence: &str, said: &mut HashSet<String>) -> usize {
    let mut found = 0;
    for part in
        sentence.split(';').flat_map(|part| part.split(", and ")).flat_map(|part| part.split(", "))
    {
        let part = part.trim().trim_start_matches("and ").trim();
        let is_first = said.is_empty();
        let own = words(part);
        let is_going_on = CONTINUED.is_in(part) && !is_first;
        let is_new = !own.is_empty() && own.iter().all(|word| !said.contains(word));
        if is_first || !is_going_on && is_new && CLAUSE.is_in(part) {
            found += 1;
        }
        said.extend(own);
    }
    found
}

/// The words that carry meaning: Latin words of four letters and more without
/// their endings, names, runs of kanji and katakana.
fn words(text: &str) -> HashSet<String> {
    const IDLE: [&str; 24] = [
        "this", "that", "with", "from", "have", "must", "should", "only", "because", "since",
        "when", "then", "than", "them", "they", "into", "does", "every", "each", "also", "will",
        "were", "are", "not",
    ];
    let mut found = HashSet::new();
    let mut word = String::new();
    let mut kind = 0;
    let mut keep = |word: &mut String, kind: u8| {
        let long = word.chars().count();
        let is_idle = IDLE.contains(&word.as_str());
        if kind == 1 && long >= 3 && !is_idle {
            let stem =
                ["ies", "es", "s", "ed", "ing"].iter().find_map(|end| word.strip_suffix(end));
            found.insert(stem.filter(|stem| stem.len() > 2).unwrap_or(word).to_owned());
        } else if kind == 2 && long >= 2 {
            // Two neighbours of a compound are a word.
            let chars: Vec<char> = word.chars().collect();
            found.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
        }
        word.clear();
    };
    for c in text.chars() {
        let now = if is_kanji(c) || is_katakana(c) {
            2
        } else if c.is_ascii_alphabetic() {
            1
        } else if is_japanese_char(c) {
            3
        } else {
            0
        };
        if now != kind {
            keep(&mut word, kind);
            kind = now;
        }
        if now == 1 || now == 2 {
            word.extend(c.to_lowercase());
        }
    }
    keep(&mut word, kind);
    found
}

/// Whether the lines of a text are facts that have nothing to do with each other.
pub(super) fn find_in_lines(text: &str) -> bool {
    let mut said = HashSet::new();
    let mut facts = 0_usize;
    let mut dated = 0_usize;
    let mut lines = 0_usize;
    let mut all = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let entry = crate::entry::Entry::parse(line);
        let statement = entry.statement.trim_start_matches(['-', '*', ' ']);
        lines += 1;
        all.push(statement);
        let is_continued = CONTINUED.is_in(statement.trim_start_matches('*'));
        let own = words(statement);
        if entry.date.is_some() {
            dated += 1;
            let is_new = !own.is_empty() && own.iter().all(|word| !said.contains(word));
            facts += usize::from(is_new && !is_continued);
        }
        said.extend(own);
    }
    if dated > 1 {
        return facts > 1;
    }
    // Texts of many lines are documents, whose facts belong together.
    lines <= 3 && find(&all.join("\n"))
}
