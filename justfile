# Everything that is checked before a change gets in.
ready: fmt lint test doc package deny

fmt:
    cargo fmt --all --check

lint:
    cargo clippy --workspace --all-targets --all-features -- -D warnings

test:
    cargo test --workspace --locked

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features

package:
    cargo package --workspace --exclude-lockfile --allow-dirty --no-verify --quiet

deny:
    cargo deny --offline check bans licenses sources

# Rewrites the generated pages under docs/.
bless:
    MEMPORT_BLESS=1 cargo test -p tests --test quirks
