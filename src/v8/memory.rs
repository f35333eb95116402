//! The one place that reads the heap.
//!
//! A load takes a [`Ref`], which says what lies at an address, and a [`Field`] of the same class, which
//! says where in it and how wide: both are made only in `v8`, so a load is a safe call and a field of
//! another class does not compile. Words of an object are read by value and one by one, never past its
//! end, and no Rust reference to them exists, as other threads may write beside them; only character
//! data and bytes of unshared buffers, which nobody writes while a window is open, are lent as slices.
//!
//! Where the bytes come from is a [`Memory`]: the live process, or, while a layout is on trial,
//! [`super::probe::Probe`], whose reads can not fault; in tests an array.

use std::marker::PhantomData;
use std::ptr::{self, NonNull};
use std::slice;

use crate::buffer::Room;

use super::layout::Layout;
use super::layout::field::Field;
use super::layout::hot::{HOT, Hot};
use super::tagged::{HEAP_OBJECT_TAG, JsArrayBuffer, Ref, Tagged};

/// A place to read at, which only this module makes.
pub struct Place(usize);

impl Place {
    /// The address.
    #[must_use]
    pub fn address(&self) -> usize {
        self.0
    }
}

/// Where the bytes of the heap come from.
pub trait Memory {
    /// Whether it is read only by layouts that were proven, whose [`Hot`] fields are [`HOT`].
    const PROVEN: bool = false;

    /// The bytes at a place.
    fn read<const N: usize>(&self, place: Place) -> [u8; N];

    /// Lends `length` bytes at a place.
    fn with_bytes<T>(&self, place: Place, length: usize, body: impl FnOnce(&[u8]) -> T) -> T;

    /// Lends `length` UTF-16 units at a place.
    fn with_units<T>(&self, place: Place, length: usize, body: impl FnOnce(&[u16]) -> T) -> T;

    /// Whether a read has failed. What was read then means nothing, and a walk must end.
    fn failed(&self) -> bool;
}

/// The memory of this process, read as it is. For layouts that were proven.
pub struct Live(());

impl Live {
    pub(super) fn shared() -> &'static Self {
        &Self(())
    }
}

impl Memory for Live {
    const PROVEN: bool = true;

    #[inline(always)]
    fn read<const N: usize>(&self, place: Place) -> [u8; N] {
        // SAFETY: a `Place` lies within an object that is alive: `Window` made it of a `Ref`, a `Field`
        // of a proven layout and, for an index, of the object's own length. Nothing moves while the
        // window is open (scope.rs), and nobody writes the bytes that a `Field` names.
        unsafe { ptr::with_exposed_provenance::<[u8; N]>(place.0).read() }
    }

    #[inline(always)]
    fn with_bytes<T>(&self, place: Place, length: usize, body: impl FnOnce(&[u8]) -> T) -> T {
        if length == 0 {
            return body(&[]);
        }
        // SAFETY: as in `read`; characters of a string and bytes of an unshared buffer stay as they are
        // while the window is open.
        body(unsafe { slice::from_raw_parts(ptr::with_exposed_provenance(place.0), length) })
    }

    #[inline(always)]
    fn with_units<T>(&self, place: Place, length: usize, body: impl FnOnce(&[u16]) -> T) -> T {
        if length == 0 {
            return body(&[]);
        }
        if !place.0.is_multiple_of(2) {
            // Never seen, but data outside the heap lies where its owner put it.
            return self.with_bytes(place, length * 2, |bytes| body(&units_of(bytes)));
        }
        // SAFETY: as in `with_bytes`, and the place is aligned.
        body(unsafe { slice::from_raw_parts(ptr::with_exposed_provenance(place.0), length) })
    }

    #[inline(always)]
    fn failed(&self) -> bool {
        false
    }
}

/// Units that do not lie as units should.
pub(super) fn units_of(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|pair| u16::from_ne_bytes([pair[0], pair[1]])).collect()
}

/// What a [`Field`] holds.
pub trait Load {
    /// What a load gives.
    type Value<'gc>;
    /// Its width in bytes.
    const SIZE: usize;

    /// Reads it.
    fn load<'gc, M: Memory>(memory: &M, place: Place) -> Self::Value<'gc>;
}

macro_rules! plain {
    ($($(#[$doc:meta])* $name:ident: $type:ty),* $(,)?) => {
        $(
            $(#[$doc])*
            pub enum $name {}

            impl Load for $name {
                type Value<'gc> = $type;
                const SIZE: usize = size_of::<$type>();

                #[inline(always)]
                fn load<'gc, M: Memory>(memory: &M, place: Place) -> Self::Value<'gc> {
                    <$type>::from_ne_bytes(memory.read(place))
                }
            }
        )*
    };
}

plain! {
    /// 8 bits
    U8: u8,
    /// 16 bits
    U16: u16,
    /// 32 bits
    U32: u32,
    /// 64 bits
    U64: u64,
    /// A double
    F64: f64,
}

/// A tagged word.
pub enum Word {}

impl Load for Word {
    type Value<'gc> = Tagged<'gc>;
    const SIZE: usize = 8;

    #[inline(always)]
    fn load<'gc, M: Memory>(memory: &M, place: Place) -> Tagged<'gc> {
        Tagged::from_word(u64::from_ne_bytes(memory.read(place)))
    }
}

/// A word that always points to an object of class `C`.
pub struct Pointer<C>(PhantomData<fn() -> C>);

impl<C> Load for Pointer<C> {
    type Value<'gc> = Ref<'gc, C>;
    const SIZE: usize = 8;

    #[inline(always)]
    fn load<'gc, M: Memory>(memory: &M, place: Place) -> Ref<'gc, C> {
        Ref::at(u64::from_ne_bytes(memory.read(place)).wrapping_sub(HEAP_OBJECT_TAG) as usize)
    }
}

/// Things of one size in a row within one object: no more of them than the object has.
pub struct Run<'gc, T> {
    start: usize,
    length: usize,
    window: PhantomData<&'gc ()>,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Run<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Run<'_, T> {}

impl<T> Run<'_, T> {
    /// How many there are.
    #[inline(always)]
    #[must_use]
    pub fn len(self) -> usize {
        self.length
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.length == 0
    }

    /// Where the first lies. Means nothing once the window is closed.
    #[must_use]
    pub fn address(self) -> usize {
        self.start
    }

    /// The first `length`; all if there are fewer.
    #[inline(always)]
    #[must_use]
    pub fn first(self, length: usize) -> Self {
        Self { length: length.min(self.length), ..self }
    }

    /// Those behind the first `count`.
    #[inline(always)]
    #[must_use]
    pub fn behind(self, count: usize) -> Self
    where
        T: Load,
    {
        let count = count.min(self.length);
        Self { start: self.start.wrapping_add(count * T::SIZE), length: self.length - count, ..self }
    }
}

/// A heap that is open for reading: its memory and the layout to read it by.
pub struct Window<'gc, M> {
    memory: &'gc M,
    layout: &'gc Layout,
    /// Other threads have nothing to look for here.
    this_thread: PhantomData<*const ()>,
}

impl<M> Clone for Window<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Window<'_, M> {}

impl<'gc, M: Memory> Window<'gc, M> {
    pub(super) fn new(memory: &'gc M, layout: &'gc Layout) -> Self {
        Self { memory, layout, this_thread: PhantomData }
    }

    /// Where fields lie and what numbers mean.
    #[inline(always)]
    #[must_use]
    pub fn layout(self) -> &'gc Layout {
        self.layout
    }

    /// The fields that are needed most.
    #[inline(always)]
    #[must_use]
    pub fn hot(self) -> Hot {
        if M::PROVEN { HOT } else { self.layout.hot() }
    }

    /// Whether a read has failed, see [`Memory::failed`].
    #[inline(always)]
    #[must_use]
    pub fn failed(self) -> bool {
        self.memory.failed()
    }

    /// Reads a field.
    #[inline(always)]
    #[must_use]
    pub fn load<C, T: Load>(self, object: Ref<'gc, C>, field: Field<C, T>) -> T::Value<'gc> {
        T::load(self.memory, Place(object.address().wrapping_add(field.offset())))
    }

    /// The `length` things from `first` on. The caller knows from the object itself that it has them.
    #[inline(always)]
    #[must_use]
    pub(super) fn run<C, T: Load>(
        self,
        object: Ref<'gc, C>,
        first: Field<C, T>,
        length: usize,
    ) -> Run<'gc, T> {
        Run {
            start: object.address().wrapping_add(first.offset()),
            length,
            window: PhantomData,
            of: PhantomData,
        }
    }

    /// Bytes or units outside the heap that an object owns.
    pub(super) fn outside<T: Load>(self, address: u64, length: usize) -> Run<'gc, T> {
        Run { start: address as usize, length, window: PhantomData, of: PhantomData }
    }

    /// Reads one of a run.
    #[inline(always)]
    #[must_use]
    pub fn get<T: Load>(self, run: Run<'gc, T>, index: usize) -> Option<T::Value<'gc>> {
        (index < run.length).then(|| T::load(self.memory, Place(run.start.wrapping_add(index * T::SIZE))))
    }

    /// Lends bytes that lie in an object.
    #[inline(always)]
    pub fn with_bytes<T>(self, run: Run<'gc, U8>, body: impl FnOnce(&[u8]) -> T) -> T {
        self.memory.with_bytes(Place(run.start), run.length, body)
    }

    /// Lends units that lie in an object.
    #[inline(always)]
    pub fn with_units<T>(self, run: Run<'gc, U16>, body: impl FnOnce(&[u16]) -> T) -> T {
        self.memory.with_units(Place(run.start), run.length, body)
    }
}

impl<'gc> Window<'gc, Live> {
    /// The memory of an ArrayBuffer of our own from `start` on, to be written to while the window is open.
    /// None if it was detached. The memory of an ArrayBuffer is not V8's heap.
    #[inline(always)]
    pub(super) fn room_in(self, buffer: Ref<'gc, JsArrayBuffer>, start: usize) -> Option<Room<'gc>> {
        let (store, length) = self.backing_store(buffer)?;
        let place = NonNull::new(ptr::with_exposed_provenance_mut::<u8>(store.checked_add(start)?))?;
        // SAFETY: the buffer is not detached and has so many bytes behind `start`; nobody else writes or
        // reads them while JavaScript on this thread waits, as the buffer is not shared, and whoever lends
        // bytes of a view asks the output first whether they meet.
        Some(unsafe { Room::new(place, length.checked_sub(start)?) })
    }
}
