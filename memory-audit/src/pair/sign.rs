//! Whether a clause demands or forbids, and what tells that something changed.

use crate::pattern::patterns;
use crate::script::is_japanese;

patterns! {
    /// Twice no, or no that is none.
    NOT_NO = [
        "なければ(?:なら|いけ)ない|ないと(?:いけ|なら)ない|ざるを得ない|しかない|ほかない|(?:だけ|のみ)(?:で(?:は)?)?なく|少なく|間違いな|問題な|構わな|かまわな|差し支えな|ないように|欠かさ|欠かせない|忘れ(?:ない|ず)|怠ら(?:ない|ず)|漏れなく|を?超えない|超えては(?:いけない|ならない)|より(?:多く|長く|大きく)(?:は)?しない|なくてもよくはない|例外なく|切れ目な|遅れずに|必要がある",
        r"\b(?:not only|no more than|no less than|no later than|no fewer than|without exception|no exceptions?|cannot but|do not forget|don't forget|never forget|never skip|do not skip|don't skip|never without|nobody else|no one else|(?:not|never)(?: \w+)? (?:longer|more|larger|bigger|higher|later|greater|older|wider|fewer|less) than|(?:not|never) exceed|not without|no (?:\w+ ){1,5}without|no problem|nothing but|no matter)\b",
    ];
    /// No longer.
    NO_LONGER = [
        "もう[^。]{0,20}(?:ない|ません|やめ)|使わなくな|しなくな|不要にな|必要なくな|なくなった|やめた|やめて|廃止|取りやめ|撤廃|終了した|打ち切った|停止した",
        r"\b(?:no longer|not (?:\w+ ){0,4}any ?more|any ?longer|stopped \w+ing|used to|(?:was|were) (?:removed|replaced|retired|dropped|switched off|shut down)|(?:is|are) gone|dropped|retired|gave up|abolished|discontinued|phased out|obsolete|deprecated)\b",
    ];
    /// Something is otherwise than before.
    CHANGED = [
        "(?:へ|に)(?:変更|切り替え|切替え|移行|移し|乗り換え|置き換え|変え|改め|統一|短縮|延長|引き上げ|引き下げ|一本化|移っ|変わっ)|を改め|に(?:短く|長く|増やし|減らし|広げ|狭め|上げ|下げ|伸ばし|縮め|厳しく|緩く)(?:し)?た?|(?:旧|以前|これまで|従来)[:：はの]|(?:から|より)(?:は|、)?[^。]{0,20}(?:になった|に変わった|にした|とした)|(?:今後|以後|以降)は|今は|現在は|代わりに[^。]{0,20}(?:する|した|使う)ことに|ことに(?:した|なった)|ようになった|(?:月|日|年)(?:より|から)(?:。|、|（|は|$)|新たに|見直し",
        r"\b(?:moved to|switched to|changed (?:to|from)|(?:is|are|was|were) (?:now|raised|lowered|shortened|extended|reduced|increased|replaced|changed|renamed)|now (?:is|are|use|uses|goes|runs|at|on|in|lives?)|it is [^.]{1,20} now|instead of (?:the )?(?:old|previous|former)|replaced (?:by|with|the)|from now on|as of|since (?:january|february|march|april|may|june|july|august|september|october|november|december|[0-9]{4})|was:|were:|formerly|previously|until (?:now|recently)|raised to|lowered to|shortened to|extended to|reduced to|increased to|cut to|up from|down from|migrated to|renamed to|goes now|starting (?:in|on|from|with)|effective|we now)\b|\bnow[.,;]?\s*$",
    ];
    /// What forbids, or says that something is not so.
    NO_JA = [
        "(?:ない|ません|ぬ|まい)(?:こと|もの|よう(?:に)?(?:する|して)?|で(?:ください|おく)|方がよい|ほうがよい|のが(?:よい|好み)|と(?:する|決め)|ため|から|ので|し)?(?:です|である|だ)?\\s*(?:$|[。、）)])",
        "禁止|厳禁|不可|禁ず|避け|控え|やめる|やめて|やめた|不要|要らない|いらない|必要(?:は|が)?ない|無用|無効|オフ|切る(?:$|。|、)|切って(?:おく|ある)|ずに|だめ|ダメ|駄目|なし(?:$|。|、|で)|無し(?:$|。|で)|廃止|反対|嫌う|嫌い|嫌が|拒否|許さ|認めな|いけない|せず|任意|自由(?:である|だ|。|$)|なくて(?:も)?(?:よい|いい|構わない)|省いてよい|求めない|問わない",
    ];
    NO_EN = [
        r"\b(?:never|not|no|don't|doesn't|isn't|aren't|can't|cannot|won't|mustn't|shouldn't|without|avoid|avoids|forbidden|forbid|forbids|prohibited|prohibit|banned|ban|disallow(?:ed)?|nobody|none|off|disabled|disable|unnecessary|needless|optional|skip|stop|refrain|refuse|dislikes?|hates?|against|unwanted|rejected|neither|nor)\b",
    ];
    /// A clause that only says when.
    ASIDE_EN = [r"\b(?:when|if|where|until|unless|before|after|because|since|once|while|as long as|so that|whenever|even if|even though|although)\b.*$"];
    PREFER = [r"\b(?:prefer|favou?r|choose|use|take|pick|write) (.{2,40}?) (?:over|instead of|rather than|in place of|and not|, not)\b"];
    /// What is not meant, behind what is.
    BUT_NOT = [r", (?:and )?not (?:\w+ ?){1,3}$"];
    INSTEAD = [r"\b(?:over|instead of|rather than|in place of|and not)\b|, not\b"];
}

/// Whether what the clause speaks of is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Yes,
    No,
}

/// A part of a statement and whether it is wanted.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) text: String,
    pub(super) sign: Sign,
    /// Whether it only says when or why.
    pub(super) is_aside: bool,
}

/// Whether the text says that something is otherwise than before.
pub(super) fn tells_change(text: &str) -> bool {
    CHANGED.is_in(text) || NO_LONGER.is_in(text)
}

/// Takes a folded sentence apart.
pub(super) fn clauses(sentence: &str) -> Vec<Clause> {
    if is_japanese(sentence) { japanese(sentence) } else { english(sentence) }
}

fn japanese(sentence: &str) -> Vec<Clause> {
    let mut found = Vec::new();
    // What is put behind something else: 「AではなくB」「AよりB」.
    let mut rest = sentence.to_owned();
    for word in ["ではなく", "でなく", "じゃなく", "をやめて", "の代わりに", "のかわりに"]
    {
        if let Some((before, after)) = rest.split_once(word) {
            let start = before.rfind(['は', '、', '。']).map_or(0, |at| {
                at + before.get(at..).and_then(|tail| tail.chars().next()).map_or(0, char::len_utf8)
            });
            let (topic, left) = before.split_at(start);
            found.push(Clause { text: left.to_owned(), sign: Sign::No, is_aside: false });
            rest = format!("{topic}{after}");
            break;
        }
    }
    for part in rest.split(['、', '，', ';', '；']).filter(|part| !part.trim().is_empty()) {
        let cleaned = NOT_NO.replace(part, "□");
        let sign = if NO_JA.is_in(&cleaned) { Sign::No } else { Sign::Yes };
        let is_aside = part.ends_with("ため")
            || part.ends_with("ので")
            || part.ends_with("から")
            || part.ends_with("ときは")
            || part.ends_with("場合は")
            || part.ends_with("たら")
            || part.ends_with("とき");
        found.push(Clause { text: part.to_owned(), sign, is_aside });
    }
    found
}

fn english(sentence: &str) -> Vec<Clause> {
    let mut found = Vec::new();
    let parts = sentence.split([';', ':']).flat_map(|part| part.split(" but "));
    for part in parts.filter(|part| !part.trim().is_empty()) {
        let aside = ASIDE_EN.find(part);
        let (main, aside) = match aside {
            // "Before committing, format": what follows the comma is the clause.
            Some(at) if part.get(..at.start).is_some_and(|before| before.trim().is_empty()) => {
                let (aside, main) = part.split_once(',').unwrap_or(("", part));
                (main, aside)
            }
            Some(at) => part.split_at(at.start),
            None => (part, ""),
        };
        let is_choice = PREFER.is_in(main) || BUT_NOT.is_in(main);
        let (main, behind) = match is_choice.then(|| INSTEAD.find(main)).flatten() {
            Some(at) => {
                (main.get(..at.start).unwrap_or_default(), main.get(at.end..).unwrap_or_default())
            }
            None => (main, ""),
        };
        let cleaned = NOT_NO.replace(main, "□");
        let sign = if NO_EN.is_in(&cleaned) { Sign::No } else { Sign::Yes };
        for (text, sign, is_aside) in
            [(main, sign, false), (behind, Sign::No, false), (aside, Sign::Yes, true)]
        {
            if !text.trim().is_empty() {
                found.push(Clause { text: text.to_owned(), sign, is_aside });
            }
        }
    }
    found
}
