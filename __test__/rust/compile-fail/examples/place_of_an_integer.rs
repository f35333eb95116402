// error: E0423
//! A place to read at is made of a reference and a field only.

use ferropack::v8::memory::Place;

pub fn case(place: Place) -> usize {
    #[cfg(feature = "wrong")]
    let place = Place(place.address() + 8);
    place.address()
}

fn main() {}
