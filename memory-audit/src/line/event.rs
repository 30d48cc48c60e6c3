//! What happened once, without what follows from it.

use crate::pattern::patterns;
use crate::script::is_japanese;
use crate::sentence::{sentences, without_quoted};

patterns! {
    /// A Japanese sentence about the past.
    PAST_JA = [
        r"(?:た|ました|だった|でした|ていた|った|んだ|てしまった)(?:らしい|そうだ|という|とのこと|ようだ)?(?:（[^）]*）|\([^)]*\))?\s*$",
        r"(?:発生|判明|発覚|炎上|多発|報告あり|続出|頻発|離席|欠席|退職)(?:した)?\s*$",
    ];
    /// Something came to its end.
    OVER = ["(?:対応|復旧|障害|調査|作業|会議|打合せ|移行|公開|工事|点検|修理)(?:は|が|も)?(?:すべて|全て|無事|無事に)?(?:完了|終了|収束|解決|解消|復旧|中止|延期|成功|失敗)(?:し|で|。|、|$)"];
    /// A choice that holds from then on.
    DECIDED_JA = [
        "(?:決め|決まっ|改め|変え|変更し|切り替え|切替え|切り換え|切替し|移行し|移し|やめ|止め|取りやめ|廃止し|採用し|統一し|固定し|揃え|そろえ|増やし|減らし|短くし|長くし|厳しくし|緩くし|緩め|強め|下げ|上げ|引き上げ|引き下げ|伸ばし|延ばし|延長し|短縮し|縮め|とし|採っ|選ん|選定し|合意し|禁止し|許可し|導入し|乗り換え|置き換え|差し替え|替え|定め|変わっ|外し|加え|見送っ|採択し|却下し|約束し|取り決め|契約し|解約し|一本化し|分離し|義務づけ|義務付け|限定し|制限し|任せ|委ね|委託し|絞っ|広げ|狭め|寄せ|集約し|休止し|終了し|開始し|始め|公開し|閉じ|塞い|空け|開け|引っ越し|移転し|改名し|呼ぶことになっ|ことになっ|ようになっ|ことにし|ようにし|としてき)(?:た|だ|ました|てある|ている)",
        r"[0-9０-９一二三四五六七八九十]+\s?(?:分|秒|時間|日|週|か月|年|件|回|本|台|人|円|%|％|文字|行|桁|つ|個|GB|MB|KB)(?:間|以内|まで)?(?:に|へ)(?:なっ|し|変え|変更し|増え|減っ|上がっ|下がっ)た",
    ];
    /// A rule, a reason or a lesson.
    RULE_JA = [
        "(?:こと|べき|べし|ように)(?:。|$|だ|である|にする|とする)", "(?:しない|使わない|ならない|いけない|できない|許さない|認めない|出さない|入れない|書かない|触らない|置かない|消さない|変えない)(?:。|、|$|こと|方)",
        "なければ|必ず|禁止|してはいけ|代わりに|かわりに|今後|以後|以降は|次からは|教訓|対策|再発防止|なので|ときは|時は|場合は|たら(?:必ず|すぐ|まず)",
        "(?:する|使う|見る|置く|書く|分ける|確かめる|確認する|取る|切る|呼ぶ|持つ|残す|選ぶ|避ける|守る|限る|従う|頼む|入れる|出す|待つ|通す|好む|好き|嫌う|嫌い|いる|ある)(?:こと|のがよい|方がよい|ほうがよい|のが好み|のがよ)?\\s*$",
        "(?:だけ|のみ|まで|以内|以上|以下|不可|必須|必要|不要|好み|前提|既定|原則|専用|厳禁|推奨)(?:だ|です|である|とする)?\\s*$",
    ];
    /// The reason of a sentence, which says nothing of its own.
    REASON = [r"(?:ため|から|ので|の(?:だ|で)から)(?:だ|です|である)?\s*$", r"^(?:because|since|as|so that)\b"];
    /// When it happened.
    WHEN = [
        "昨日|昨夜|今朝|先週|先日|先月|今日|本日|おととい|一昨日|この前|さっき|昼に|朝に|夜に|夕方に|夜中に|深夜に|[0-9]+時(?:頃|ごろ)に|会議で|定例",
        r"\b(?:yesterday|today|this morning|last (?:night|week|month|friday|monday|tuesday|wednesday|thursday|saturday|sunday|year)|the other day|earlier|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|once|twice|at (?:noon|night|[0-9]))\b",
    ];
    /// An English sentence about the past.
    PAST_EN = [
        r"\b(?:was|were|had|did(?:n't)?|wasn't|weren't|went|broke|came|took|got|ran|fell|lost|found|saw|said|told|made|sent|gave|threw|caught|forgot|woke|felt|hit|wrote|began|grew|spent|blew|shut down|slept|met|knew|thought|brought|bought|sold|paid|left|asked|kept|froze|hung|sank|rose|led|spoke|stood|won|overwrote|misread|stole|quit)\b",
        r"\b[a-z]{2,}(?:ed)\b",
    ];
    /// Past forms that only describe.
    DESCRIBED = [
        r"\b(?:is|are|be|been|being|get|gets|stay|stays|remain|remains|must be|can be|should be|may be|as|when|if|where|unless|once|the|a|an|our|its|their|all|any|every|each|of|for|with|by|to|in|on|from|than|no|only|not|never|and|or|per|more|most|well|[a-z]+ly|[0-9]+) (?:\w+ly )?[a-z]{2,}ed\b",
        r"\b(?:need|speed|feed|seed|embed|shed|red|bed|breed|bleed|indeed|exceed|proceed|succeed|hundred|sacred|naked|used to|based|unused|shared|supposed|deprecated|fixed|nested|limited|untrusted|trusted|signed|unsigned|cached|dated|undated)\b",
    ];
    /// A choice that holds from then on.
    DECIDED_EN = [
        r"\b(?:decided|agreed|chose|chosen|switched|moved (?:to|from|into|away|off|over)|(?:has|have) moved|replaced|dropped (?:support|the|in favou?r)|renamed|adopted|standardi[sz]ed|banned|raised|lowered|shortened|extended|reduced|increased|cut|settled|changed|introduced|retired|deprecated|pinned|merged into|split into|became|stopped using|started using|gave up|picked|approved|allowed|required|asked (?:us|for|that|to)|wants?|preferred|promised|signed|set (?:to|at)|limited to|restricted to|now|no longer|any ?more|from now on|as of|since)\b",
    ];
    /// A rule, a reason or a lesson.
    RULE_EN = [
        r"\b(?:must|should|shall|never|always|do not|don't|cannot|can't|can|may|will|won't|has to|have to|needs? (?:to|a|an|the|two)|instead|prefers?|avoid|only|use|uses|keeps?|stays?|lives?|runs|goes|comes|is|are|isn't|aren't|does|doesn't|means?|requires?|expects?|otherwise|so (?:we|that|it|use|the)|therefore|hence|lesson|rule|next time|from now on|make sure|remember|check|ensure|ask|wait|let)\b",
    ];
}

/// Whether the text only tells what happened.
pub(super) fn find(text: &str) -> bool {
    let plain = without_quoted(text);
    let mut past = 0;
    for sentence in sentences(&plain) {
        if is_japanese(sentence) {
            let is_past = PAST_JA.is_in(sentence) || WHEN.is_in(sentence) && OVER.is_in(sentence);
            if RULE_JA.is_in(sentence) && !(is_past && WHEN.is_in(sentence)) {
                return false;
            }
            if DECIDED_JA.is_in(sentence) && !WHEN.is_in(sentence) {
                return false;
            }
            if is_past {
                past += 1;
            } else if !REASON.is_in(sentence) || past == 0 {
                return false;
            }
        } else {
            for clause in sentence.split(';') {
                let rest = DESCRIBED.replace(clause, "□");
                let has_when = WHEN.is_in(clause);
                if RULE_EN.is_in(&rest) || DECIDED_EN.is_in(&rest) && !has_when {
                    return false;
                }
                if PAST_EN.is_in(&rest) {
                    past += 1;
                } else if !has_when {
                    return false;
                }
            }
        }
    }
    past > 0
}
