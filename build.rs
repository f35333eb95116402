//! Link set-up for the Node-API addon; nothing else is decided at build time.

fn main() {
    napi_build::setup();
}
