//! What a program printed, pasted as it was.

use crate::pattern::patterns;

patterns! {
    PRINTED = [
        // A time to the second with a level or a message behind it.
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?(?:Z|[+-][0-9:]{4,6})?[\s\]|]+\[?(?-i:ERROR|ERR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|CRITICAL|NOTICE)\b",
        r"^\s*[\[(]?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}\S*[\])]?\s+\S",
        r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +[0-9]{1,2} [0-9]{2}:[0-9]{2}:[0-9]{2}\b",
        r"^\s*\[?[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]+)?\]?\s+\S+.*(?-i:ERROR|WARN|INFO|FATAL|error|failed|timeout)",
        r"^\s*\[?(?-i:ERROR|WARN|FATAL|INFO|DEBUG|CRITICAL|PANIC|SEVERE)\]?\s*[:\[\]|-]\s*\S", r"^\s*(?-i:ERROR|WARN|FATAL|CRITICAL) (?:in|at|while|from) \S",
        r"^\s*\[(?:error|warn(?:ing)?|info|fatal|debug|crit)\]\s", r"\b(?:level|lvl|severity)=(?:error|warn|info|fatal|debug)\b", r"\{[^{}]*.level.\s*:\s*.(?:error|warn|info|fatal|debug)",
        // Errors in the form of compilers and run-times.
        r"^\s*(?:error|fatal|warning|panic)(?:\[[A-Z]?[0-9]+\])?: \S", r"\berror\[E[0-9]{4}\]", r"\berror (?:TS|CS|C)[0-9]{3,5}:",
        r"\b(?-i:[A-Z][A-Za-z]*(?:Error|Exception|Warning)): \S", r"\bException in thread\b", r"\bTraceback \(most recent", r"\bstack ?(?:trace|backtrace)\b *:", r"\bCaused by: ",
        r"^\s+at \S+.*[(:]\S*[0-9]+\)?", r"\bat \S+ \(\S+:[0-9]+(?::[0-9]+)?\)", r"\bpanicked at\b", r"\bFile \S+, line [0-9]+", r"\bgoroutine [0-9]+ \[",
        r"\b(?:npm|yarn|pnpm) ERR!", r"\bSegmentation fault\b", r"\bcore dumped\b", r"\bSIG(?:SEGV|KILL|ABRT|BUS)\b.*(?:exit|core|signal|received)", r"\bexited with (?:code|status) [0-9]+",
        r"--- FAIL:", r"=== RUN", r"\btest result: (?:FAILED|ok)", r"\b[0-9]+ (?:passed|failed), [0-9]+ (?:failed|passed|skipped|ignored)\b", r"\bFAILED \((?:errors|failures)=", r"\bBUILD (?:FAILED|SUCCESSFUL)\b", r"\bfatal: \S", r"\bhint: \S",
        // Requests.
        r#"\b(?-i:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) /\S*"?(?: HTTP/[0-9.]+"?)?[ ,:→-]+[1-5][0-9]{2}\b"#, r"\bHTTP/[0-9.]+\S? [1-5][0-9]{2} ", r"\b[1-5][0-9]{2} [A-Za-z ]*[0-9]+ ?ms\b.*[-–:]",
        r"\b(?:E(?:CONN(?:REFUSED|RESET)|TIMEDOUT|NOENT|ADDRINUSE|ACCES|PERM|PIPE))\b[: ]",
        // A prompt with what came of it.
        r"^\s*(?:[\w.-]+@[\w.-]+[:~\w/ -]*)?[$%❯➜] [a-z][\w./-]*(?: \S+)*\s*(?:→|=>|⇒|\n)", r"^\s*\$ \S+ .*(?:error|failed|denied|not found|rejected|fatal|warning)", r"^\s*(?:>>>|PS [A-Z]:\\) ?\S",
        r"\bpid[=: ]\d+\b.*\b(?:killed|exit|signal|oom)", r"\battempt [0-9]+/[0-9]+\)?", r"^\s*\[ *[0-9]+\.[0-9]{3,6}\] ", r"\b0x[0-9a-f]{8,}\b.*\b(?:at|in)\b",
        r"^\s*[0-9]+: +(?:0x)?[\w:<>]+::[\w:<>]+\s*$", r"^(?:diff --git|@@ -[0-9]+,[0-9]+ \+[0-9]+)",
    ];
}

/// Whether a part of the text was printed by a program.
pub(super) fn find(text: &str) -> bool {
    PRINTED.is_in(text)
}
