//! Classes of a JavaScript number: which wire form holds it. Leaf module.

/// A number as the wire formats see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Whole and within -2^53..2^53; -0 counts as 0, as msgpackr writes it.
    Int(i64),
    /// Anything else, NaN and infinities included.
    Float(f64),
}

/// A number as a 32-bit integer, if it is one. Quicker than [`classify`] where most numbers are.
#[inline(always)]
#[must_use]
pub fn as_i32(value: f64) -> Option<i32> {
    // The cast saturates, so comparing back decides alone.
    let int = value as i32;
    (f64::from(int) == value).then_some(int)
}

/// The number with these bits, which is whole and below 2^53, as an integer.
///
/// By its bits, as a cast has to give a number for what does not fit, too, which takes several steps more.
#[inline(always)]
#[must_use]
pub fn whole(bits: u64) -> i64 {
    let exponent = (bits >> 52 & 0x7ff).wrapping_sub(1023);
    // Zero has no leading one.
    let leading = u64::from(bits << 1 != 0) << 52;
    let magnitude = (leading | bits & ((1 << 52) - 1)) >> (52_u64.wrapping_sub(exponent) & 63);
    let sign = bits as i64 >> 63;
    (magnitude as i64 ^ sign) - sign
}

/// Finds the class of `value`.
#[inline(always)]
#[must_use]
pub fn classify(value: f64) -> Number {
    // By its bits: most numbers that are no Smis are fractions, and for those no conversion is waited for.
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff).wrapping_sub(1023);
    // Up to here a double and a 64-bit integer agree on every whole number.
    if exponent < 53 {
        let fraction = bits << 12 << exponent;
        if fraction == 0 { Number::Int(whole(bits)) } else { Number::Float(value) }
    } else if bits << 1 == 0 {
        Number::Int(0)
    } else {
        Number::Float(value)
    }
}

/// Exponent of the first entry of [`POWERS_OF_TEN`].
const FIRST_POWER: i32 = -32;
/// The nearest double of each power of ten from 1e-32 to 1e45.
#[rustfmt::skip]
const POWERS_OF_TEN: [f64; 78] = [
    1e-32, 1e-31, 1e-30, 1e-29, 1e-28, 1e-27, 1e-26, 1e-25, 1e-24, 1e-23, 1e-22, 1e-21,
    1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9,
    1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3,
    1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27,
    1e28, 1e29, 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38, 1e39,
    1e40, 1e41, 1e42, 1e43, 1e44, 1e45,
];

/// 10 to the power of decimal digits that a 32-bit float with this exponent carries.
///
/// The rule of msgpackr's decimal rounding: floor(45.15 - 0.30103 e) digits for the biased exponent e.
#[must_use]
fn decimal_multiplier(single: f32) -> f64 {
    let exponent = (single.to_bits() >> 23) & 0xff;
    // In hundred-thousandths, so that the rule's decimals are exact.
    let digits = (4_515_000 - 30_103 * exponent as i32).div_euclid(100_000);
    POWERS_OF_TEN[(digits - FIRST_POWER) as usize]
}

/// ECMAScript's ToInt32.
#[must_use]
pub fn to_int32(value: f64) -> i32 {
    if !value.is_finite() {
        return 0;
    }
    // The remainder of a double is exact, and within 2^32 the casts below are too.
    let remainder = value.trunc() % 4_294_967_296.0;
    remainder as i64 as i32
}

/// The decimal number nearest to what a 32-bit float was made from; NaN and infinities are kept.
#[must_use]
pub fn round_decimal(single: f32) -> f64 {
    let value = f64::from(single);
    if !value.is_finite() {
        return value;
    }
    let multiplier = decimal_multiplier(single);
    let half = if value > 0.0 { 0.5 } else { -0.5 };
    f64::from(to_int32(multiplier * value + half)) / multiplier
}

/// Whether 32 bits keep the decimal digits of `value`, so that [`round_decimal`] gives it back.
#[must_use]
pub fn fits_decimal(value: f64) -> bool {
    let scaled = decimal_multiplier(value as f32) * value;
    f64::from(to_int32(scaled)) == scaled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        assert_eq!(classify(-0.0), Number::Int(0));
        assert_eq!(classify(4_294_967_295.0), Number::Int(4_294_967_295));
        assert_eq!(classify(0.5), Number::Float(0.5));
        assert_eq!(classify(f64::INFINITY), Number::Float(f64::INFINITY));
        assert!(matches!(classify(f64::NAN), Number::Float(n) if n.is_nan()));
        assert_eq!(classify(9.3e18), Number::Float(9.3e18));
    }

    #[test]
    fn classes_are_those_of_arithmetic() {
        for exponent in -60..70 {
            for mantissa in [1.0, 1.5, 1.25, 1.75, 1.999_999_999, 1.0 + f64::EPSILON] {
                for sign in [1.0, -1.0] {
                    let value = sign * mantissa * 2_f64.powi(exponent);
                    let whole = value.trunc() == value && value.abs() < 2_f64.powi(53);
                    let expected = if whole { Number::Int(value as i64) } else { Number::Float(value) };
                    assert_eq!(classify(value), expected, "{value}");
                }
            }
        }
    }

    #[test]
    fn int32_wraps_as_in_ecmascript() {
        for (value, expected) in [
            (0.0, 0),
            (-1.9, -1),
            (4_294_967_296.0, 0),
            (2_147_483_648.0, i32::MIN),
            (-2_147_483_649.0, i32::MAX),
            (f64::NAN, 0),
            (f64::INFINITY, 0),
            (1e300, 0),
        ] {
            assert_eq!(to_int32(value), expected, "{value}");
        }
    }

    #[test]
    fn decimal_rounding() {
        assert_eq!(round_decimal(5.6_f32), 5.6);
        assert_eq!(round_decimal(7.99_f32), 7.99);
        assert_eq!(round_decimal(-7.99_f32), -7.99);
        assert!(round_decimal(f32::NAN).is_nan());
        assert!(fits_decimal(7.99));
        assert!(!fits_decimal(std::f64::consts::PI));
    }
}
