//! The folder name that stands for a project path.

/// Longest name, in UTF-16 units, that is used without a hash.
const LONGEST: usize = 200;

/// The name of a project's folder: every UTF-16 unit that is no ASCII letter or
/// digit becomes `-`; beyond 200 units the name is cut and the path's hash appended.
pub(crate) fn slug(path: &str) -> String {
    let mut units = 0;
    let mut name = String::new();
    for unit in path.encode_utf16() {
        units += 1;
        if units <= LONGEST {
            let kept = u8::try_from(unit).ok().filter(u8::is_ascii_alphanumeric);
            name.push(kept.map_or('-', char::from));
        }
    }
    if units > LONGEST {
        name.push('-');
        name.push_str(&base36(hash(path)));
    }
    name
}

/// The usual 31-times hash over UTF-16 units in 32 bits, without its sign.
fn hash(path: &str) -> u32 {
    let add = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(i32::from(unit));
    path.encode_utf16().fold(0, add).unsigned_abs()
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_one_character_and_nothing_is_collapsed() {
        for (path, want) in [
            ("/mnt/a--b", "-mnt-a--b"),
            ("/mnt/.claude", "-mnt--claude"),
            ("/mnt/日本", "-mnt---"),
            ("/mnt/😀", "-mnt---"),
            ("/mnt/é", "-mnt--"),
            ("/mnt/e\u{301}", "-mnt-e-"),
        ] {
            assert_eq!(slug(path), want);
        }
    }

    #[test]
    fn a_long_name_ends_in_the_hash_of_the_whole_path() {
        let path = |last: usize| format!("/mnt/{}/{}", "q".repeat(100), "q".repeat(last));
        let name = |last: usize| format!("-mnt-{}-{}", "q".repeat(100), "q".repeat(last));
        assert_eq!(slug(&path(94)), name(94));
        assert_eq!(slug(&path(95)), format!("{}-1dg1al", name(94)));
    }
}
