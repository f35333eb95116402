//! Reads JavaScript objects in V8's heap, in place. Knows V8, and no wire format.
//!
//! A [`Heap`] is a layout that was proven in this process. In a [`NoGcScope`], which keeps JavaScript and
//! collections away, it opens a [`Window`]: typed references go in, fields come out. Why that is sound is
//! said in [`scope`] and [`memory`]; how the layout is found and proven, in [`layout`].
//!
//! Nothing is remembered by address when the window is closed: objects move and die, and addresses are
//! used again.

#[expect(unsafe_code, reason = "a handle is a pointer to the slot that holds the word")]
mod handle;
pub mod layout;
#[expect(unsafe_code, reason = "the one place that reads the heap")]
pub mod memory;
pub mod objects;
pub mod probe;
pub mod roots;
pub mod scope;
pub mod tagged;
pub mod value;

#[cfg(test)]
pub(crate) mod fake_heap;

pub use self::memory::Window;
pub use self::scope::NoGcScope;

use self::layout::hot::HOT;
use self::layout::{Layout, Refusal};

/// The heap of this process, by a layout that was proven in it.
pub struct Heap {
    layout: Layout,
}

impl Heap {
    /// A heap of this layout, which the self-test found right.
    pub fn proven(layout: Layout) -> Result<Self, Refusal> {
        let hot = layout.hot();
        if hot == HOT { Ok(Self { layout }) } else { Err(Refusal(format!("fields lie elsewhere: {hot:?}"))) }
    }

    /// The layout.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }
}
