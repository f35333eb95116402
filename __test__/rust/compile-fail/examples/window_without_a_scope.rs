// error: E0624
//! Only a scope opens a window.

use ferropack::v8::Window;
use ferropack::v8::layout::Layout;
use ferropack::v8::memory::Memory as _;
use ferropack::v8::probe::Probe;

pub fn case(probe: &Probe, layout: &Layout, window: Window<'_, Probe>) -> bool {
    #[cfg(feature = "wrong")]
    let window = Window::new(probe, layout);
    window.failed() && probe.failed() && std::ptr::eq(window.layout(), layout)
}

fn main() {}
