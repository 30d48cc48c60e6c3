//! What the command shows: text and JSON of given answers, and the process itself.

// Said of each module so that the linter takes their shared functions for tests too.
#[cfg(test)]
mod check;
#[cfg(test)]
mod diff;
#[cfg(test)]
mod disk;
#[cfg(test)]
mod fixture;
#[cfg(test)]
#[cfg(unix)]
mod hostile;
#[cfg(test)]
mod json;
#[cfg(test)]
mod keep;
#[cfg(test)]
mod on_disk;
#[cfg(test)]
mod page;
#[cfg(test)]
mod port;
#[cfg(test)]
mod process;
#[cfg(test)]
mod recall;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod shared_folder;
#[cfg(test)]
mod store;
#[cfg(test)]
mod text;
#[cfg(test)]
mod texts;
