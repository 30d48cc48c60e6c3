//! Steps to follow, which belong in a skill.

use crate::pattern::patterns;
use crate::sentence::without_quoted;

patterns! {
    /// Says that steps follow.
    ANNOUNCED = [
        "(?:手順|やり方|方法|流れ|段取り|順序|順番)(?:は|：|:|（[^）]*）[：:]?|は次のとおり|は以下|は次)",
        r"^\s*(?:how to|steps? (?:to|for)|procedure|to [a-z]+ (?:\w+ ){0,6}?):? ?", r"\b(?:steps|procedure|how to [a-z ]{1,30})\s*:",
    ];
    /// Words that put steps in order.
    ORDER = [
        "(?:^|[、。：:\\s])(?:まず|最初に|はじめに|初めに)|先に[^、。]{1,12}(?:し|て)、", "(?:^|[、。\\s])(?:次に|つぎに|続いて|続けて)|そのあと|その後|そのうえで|それから|しかるのちに|(?:して|たら)から、|終わったら|済んだら|できたら|確認できたら|通ったら", "最後に|仕上げに|しまいに|翌朝に|翌日に",
        r"\b(?:first(?:ly)?|to begin with|start by)\b,?", r"\b(?:then|next|after that|afterwards?|second(?:ly)?|third(?:ly)?|once (?:that|this|it)(?:'s| is)|followed by|when (?:that|it)(?:'s| is) done)\b", r"\b(?:finally|lastly|at the end|last,)\b",
    ];
    /// A numbered step.
    NUMBERED = [r"(?:^|[\s：:、。,;])(?:[0-9]{1,2}[.)．）](?:\s|[^0-9\s])|[①-⑳]|[(（][0-9]{1,2}[)）]|(?:step|手順)\s?[0-9]{1,2}\b)"];
    /// From one step to the next.
    ARROW = [r"\s?(?:→|⇒|➡|->|=>|＞)\s?", ];
    /// A clause with a verb that goes on, in Japanese.
    GOES_ON = ["[しきみりいちびぎえけせてれめべっげ]、", "して、|て、|で、"];
    /// What makes several of them one rule.
    RULED = ["しない|禁止|ならない|いけない|なければ|ため(?:。|$)|より先に|前に必ず|こと(?:。|$)", r"\b(?:never|do not|don't|must not|because|since|unless)\b"];
    WISHES = ["こと(?:、|。|$)"];
    /// An English clause that begins with a verb that tells what to do.
    IMPERATIVE = [
        r"(?:^|[,;:.] (?:and )?(?:then )?|\band (?:then )?|\bthen |\bfirst,? )(?:run|open|create|deploy|delete|remove|copy|paste|move|swap|compare|check|build|push|pull|merge|tag|bump|restart|stop|start|update|edit|set|add|drop|rename|click|log in|ssh|install|export|import|wait|verify|confirm|upload|download|restore|back up|call|send|tell|ask|write|commit|switch|publish|release|rotate|revoke|disable|enable|generate|fetch|apply|approve|close|test|clear|flush|rebuild|reindex|scale|drain|cut|sign|notify|announce|post|put|go|select|enter|save|reload|make|clean|kill|dump|load|truncate|migrate|roll back|promote|unmount|mount|insert|take|note|record|print|unplug|plug|connect|turn)\b",
    ];
}

/// Whether the text is a sequence of steps.
pub(super) fn find(text: &str) -> bool {
    let plain = without_quoted(text);
    let steps = NUMBERED.count_in(&plain);
    let announced = ANNOUNCED.is_in(&plain);
    if steps >= 3 || steps >= 2 && announced {
        return true;
    }
    let order = kinds_of_order(&plain);
    let goes_on = GOES_ON.count_in(&plain);
    let imperatives = IMPERATIVE.count_in(&plain);
    let arrows = ARROW.count_in(&plain);
    let is_ruled = RULED.is_in(&plain);
    // "…すること、…すること" is a list of wishes, in whatever order.
    if WISHES.count_in(&plain) >= 2 {
        return false;
    }
    // A condition with an arrow to what not to do is a rule.
    arrows >= 3
        || arrows == 2 && !is_ruled && (announced || order > 0)
        || order >= 3
        || order == 2 && (goes_on + imperatives >= 2 || !is_ruled && goes_on + imperatives >= 1)
        || order == 1 && (goes_on >= 2 && !is_ruled || imperatives >= 3)
        || announced && (imperatives >= 3 || goes_on >= 2)
        || imperatives >= 4 && !is_ruled
}

/// How many kinds of words that order steps there are.
fn kinds_of_order(text: &str) -> usize {
    let mut words: Vec<_> = ORDER
        .find_all(text)
        .into_iter()
        .filter_map(|found| text.get(found))
        .map(str::to_lowercase)
        .collect();
    words.sort();
    words.dedup();
    words.len()
}
