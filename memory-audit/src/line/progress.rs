//! The state of work: it is out of date the next day.

use crate::pattern::patterns;
use crate::sentence::{sentences, without_quoted};

/// What can be in work.
const WORK: &str = "(?:実装|対応|修正|移行|着手|調査|確認|検証|作成|反映|適用|設定|導入|公開|デプロイ|リリース|マージ|テスト|レビュー|納品|置換|置き換え|更新|削除|追加|移植|書き換え|切り替え|切替|整理|統合|準備|連携|登録|配線|組み込み|開発|作業|検討|執筆|交渉|翻訳|改修|刷新|設計|構築|分割|共通化|置換え|有効化|無効化|自動化|試作|試験|段階|フェーズ|画面|機能|点検|棚卸し|見直し|書き直し|最適化|計測|結合|単体|配布|申請|発注|依頼|問い合わせ)";

/// What ends a clause that says how things stand.
const END: &str = r"(?:だ|です|である|でした|だった|とする|となった|した|している|しました)?(?:[。、，,．.）)（(／/;；]|\s|$)";

patterns! {
    STATE = [
        // Japanese
        &format!("{WORK}(?:済み?|ずみ){END}"),
        &format!("{WORK}(?:は|が|も|まで)?(?:すべて|全て|全部|ほぼ|一通り|ひととおり|だいたい|無事)?(?:に)?完了{END}"),
        &format!("{WORK}中{END}"),
        &format!("未{WORK}{END}"), "未完了|未完成|未解決(?:。|$|のまま)",
        &format!("{WORK}(?:が|は)?(?:途中|半ば|保留|中断|停滞|難航){END}"),
        "(?:保留|進行|継続|停止|中断|待機)中(?:だ|です)?(?:[。、）)（(]|$)",
        "(?:レビュー|返事|返答|承認|確認|回答|マージ)待ち",
        r"残り(?:は|の|が|、)?\s?(?:あと)?[0-9０-９一二三四五六七八九十]+\s?(?:件|か所|箇所|ヶ所|カ所|個|本|つ|割|%|％|画面|ファイル|項目|ページ|枚|点|種|工程|段階|日分|人日|テスト|機能|行)(?:[^のをにでは]|$)",
        "残りは(?:[^。]{1,24})(?:。|$)", "残(?:作業|タスク|課題|件|工程|処理)(?:は|が|：|:|。|、|\\s|$)", "積み残し",
        "(?:が|は|も)(?:まだ)?(?:[0-9０-９]+[^。、]{0,3})?残っている(?:[。、]|$)", "(?:が|は)(?:まだ)(?:残って|終わって|できて|出来て|動いて|済んで|直って|書けて|通って|入って)",
        "まだ(?:途中|未|これから|半分|手つかず|手を付けて|着手|終わっていな|できていな|出来ていな|直っていな|試していな|書いていな|残って|動かない)",
        "[0-9０-９]+\\s?[%％割](?:ほど|くらい|程度)?(?:まで|は|が|を)?(?:完了|終わ|終了|進ん|進捗|済|でき|出来|達成|実装|移行|対応|仕上が|消化)",
        "[0-9０-９]+\\s?(?:/|／|分の|件中|本中|個中|中)\\s?[0-9０-９]+(?:件|個|本|つ)?(?:まで|が|は|を)?(?:完了|終わ|終了|済|でき|移行|対応)",
        "(?:今日|本日|明日|あした|来週|今週|週明け|次回|明後日|あさって|次の回|月曜|火曜|水曜|木曜|金曜)(?:の[^。、]{1,4})?(?:に|は|から|まで)?(?:[^。、]{0,14})(?:続き|再開|着手|対応する|直す|進める|取りかか|取り掛か|仕上げ|終わらせ|予定|やる)",
        "続き(?:は|を|から)(?:[^。]{0,10})(?:やる|行う|書く|進める|から|明日|来週|次|再開|やること)",
        "途中(?:まで(?:できた|書いた|進めた|実装|終わった|移した|直した)|で止ま|。|$|である|です)",
        "次(?:は|に|回は|の作業は|の一手は)[^。、]{1,24}(?:を(?:やる|書く|直す|作る|足す|進める|試す|実装|つなぐ|繋ぐ|対応|確かめる|消す|移す)|に(?:着手|取りかか|取り掛か|進む)|予定|から(?:やる|始める))",
        "(?:着手|対応|実装|修正|移行|公開|リリース|作成)(?:する)?予定(?:[。、]|$)", "に着手(?:した|する|。|$)", "これから(?:やる|着手|実装|対応|書く|直す|作る)",
        "(?:作業|実装|対応|移行|修正|調査|改修|開発)(?:は|が|も)(?:終わった|終わり|終了|済んだ|終わっている|済んでいる|完了|片付いた|終えた|続く|続いている|進んでいる|止まっている|難航)",
        "(?:まで|は|が)(?:完了|終わった|終わっている|実装した|書いた|仕上がった|片付いた|できた)[。、]?(?:あと|残り|次|まだ)",
        "あと(?:は)?[^。、]{0,16}(?:だけ|のみ)(?:で(?:完了|終わ|完成)|。|$|残)",
        "あと(?:少し|一歩|わずか|[0-9０-９一二三四五]+(?:件|か所|箇所|つ|個|日|本|画面))(?:で|。|$|残)",
        "進捗(?:は|：|:|率)\\s?(?:[0-9０-９]|順調|良|遅|半分|まだ)", "やることリスト|やり残し|要対応|対応待ち|ペンディング",
        // Signs
        r"(?-i:\bWIP\b)", r"(?-i:\bTODO\b)", r"(?-i:\bTBD\b)", r"(?-i:\bFIXME\b)", r"[✅☑⬜🚧]", r"\[[ xX]\]\s",
        // English
        r"\b(?:work )?(?:is |are |was |still |currently |now )+(?:\w+ )?(?:in progress|under ?way|half[- ](?:done|finished|way)|partly done|partially (?:done|implemented|migrated|finished)|ongoing|pending|on hold|blocked|paused|stalled|unfinished|incomplete|untested|unmerged)\b",
        r"\bin progress\b(?:[.,;)]|$| and\b| but\b)", r"\bwork in progress\b",
        r"\bblocked (?:on|by) (?:\w+ )?(?:review|approval|merge|qa|release|vendor|legal|design|feedback|pr|ci|the)\b",
        r"\b(?:not|isn't|aren't|hasn't been|haven't been|has not been|have not been) (?:yet )?(?:done|finished|implemented|started|merged|wired|tested|migrated|completed|complete|deployed|ported|released)(?: up)?(?: yet)?\s*(?:[.,;)]|$)",
        r"\byet to (?:be )?(?:do|done|implement|implemented|write|written|test|tested|migrate|migrated|finish|start)",
        r"(?:^|[.;:!?]\s+|\] )(?:done|finished|implemented|completed|merged|shipped|wired up|refactored|ported|migrated)\b(?: (?:the|all|most|both|some|half|a|an|two|three|first|with|so|up|in|on|[0-9])\b|\s*[:.,;]|$)",
        r"(?:^|[.;:!?]\s+|\] )(?:fixed|added|removed|renamed|updated|rewrote|started|cleaned up) (?:the|all|most|both|some|a|an|two|three|tests|support)\b.*\b(?:remaining|left|next|todo|still|then|tomorrow|now|pending|so far|but not|not yet)\b",
        r"\b(?:remaining|left(?: to do)?|next(?: up| steps?)?|still (?:to do|open|missing)|to ?do|outstanding|open items?|status|progress)\s*[:：]",
        r"\bnext (?:step|task|thing|up)s?(?: is| are|,| to)", r"\bnext,? (?:i|we)(?:'ll| will| need| have| should)\b", r"\bnext is\b",
        r"\b[0-9]+ (?:of|out of|/) [0-9]+ (?:\w+ ){0,4}(?:done|migrated|finished|completed?|ported|converted|moved|left|remain(?:ing)?|passing|pass|fixed|translated|implemented|covered|work)\b",
        r"\b[0-9]+ ?% (?:\w+ )?(?:done|complete|completed|finished|migrated|implemented|there|through|of the (?:way|work|migration))",
        r"\b(?:about |roughly |almost |nearly )?(?:half|most|two thirds|a third|the rest) of (?:the|it|them)\b[^.]{0,40}\b(?:done|left|migrated|remains?|to go|ported|finished|is still|are still|converted)\b",
        r"\b[0-9]+ (?:\w+ )?(?:left|remaining|remain|to go)\b(?:[.,;)]|$| to \w+)",
        r"\b(?:will|to|i'll|we'll) (?:continue|resume|finish|pick (?:it |this )?up|follow up|tackle|wire|implement|do (?:it|this|the rest)) (?:\w+ ){0,4}(?:tomorrow|next|on (?:mon|tues|wednes|thurs|fri)day|later|today|soon|afterwards|this)",
        r"\b(?:continue|resume) (?:\w+ ){0,4}(?:tomorrow|next week|on (?:mon|tues|wednes|thurs|fri)day)\b",
        r"\b(?:is|are|was|were|has been|have been) (?:now |already |finally |all )?(?:done|finished|completed?|implemented|merged|deployed|shipped|wired up|ported|migrated)(?: now| already)?\s*(?:[.,;]|$| and | but | except)",
        r"\balready (?:done|implemented|migrated|merged|fixed|in place|ported|finished)\b",
        r"\bstill (?:need(?:s|ed)?|missing|broken|failing|to be|has to be|have to be|to fix|to write|working on|waiting|untested|on my list|remains?|lacks?)\b",
        r"\b(?:currently |i'm |i am |we are |we're )(?:working on|implementing|migrating|refactoring|writing|debugging|fixing|investigating|porting)\b",
        r"\b(?:started|begun|began) (?:on |work on |working on |with )?(?:the )?(?:\w+ )?(?:migration|rewrite|refactor(?:ing)?|implementation|port|work)\b",
        r"\bwaiting (?:for|on) (?:\w+ )?(?:review|approval|feedback|qa|merge|answer|reply|reviewer|ci)\b",
        r"\b(?:does|do|is|are|has|have|was|did)(?: not|n't)(?: \w+){0,3} yet\s*(?:[.,;)]|$)", r"\b(?:not yet)\s*(?:[.,;)]|$)", r"\bhalf-?way (?:through|done|there|into)\b", r";\s*continue with\b",
        r"\b(?:so far|up next|almost (?:done|finished|there)|nearly (?:done|finished)|left off|to be continued|to be done|needs? (?:more )?work)\b",
        r"\b(?:phase|step|part|milestone|stage) (?:one|two|three|[0-9]) (?:is |was )?(?:done|complete[d]?|finished|in progress|started|next|pending)",
    ];
    /// Where such a word stands in a condition or speaks of something else.
    ELSEWHERE = [
        r"\b(?:when|once|after|until|unless|if|before|whether|that|which|what|as soon as|by the time|how|who|never|only|not be) (?:[^.;,]{0,40})(?:is|are|was|has been|have been|be) (?:\w+ )?(?:done|finished|completed?|merged|deployed|shipped|migrated|implemented|pending|blocked|paused|in progress|on hold)\b",
        r"\b(?:done|finished|completed|merged|implemented|shipped|migrated) (?:when|once|only|by|before|if|in|with|through|via|at|from|outside|as|per|every)\b",
        r"\b(?:is|are) (?:always |never |usually |only )(?:done|merged|deployed|shipped|completed|migrated|implemented|paused|blocked)\b",
        "(?:完了|終了)(?:した|する)?(?:ら|とき|時|場合|後|あと|まで|前|次第|時点|注文|の|通知|画面|ボタン|メール|状態|率|日)",
        "(?:済み?|中|未[一-龠]{2})の",
    ];
}

/// The sentence that tells the state of work, in bytes of the text.
pub(super) fn find(text: &str) -> Option<std::ops::Range<usize>> {
    sentences(text).into_iter().find_map(|sentence| {
        let rest = ELSEWHERE.replace(&without_quoted(sentence), "□");
        let start = sentence.as_ptr() as usize - text.as_ptr() as usize;
        STATE.is_in(&rest).then(|| start..start + sentence.len())
    })
}
