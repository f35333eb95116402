// Extensions, with and without types.
// biome-ignore-all lint/suspicious/noExplicitAny: any is what functions are given unless told otherwise

import { addExtension, type Extension, type Packr } from 'ferropack'
import { expectType } from './type-equality'

class Point {
  constructor(
    readonly x: number,
    readonly y: number,
  ) {}
}
abstract class Shape {
  abstract area(): number
}

addExtension({
  Class: Point,
  type: 1,
  pack(point) {
    expectType<Packr>()(this)
    expectType<any>()(point)
    return Buffer.concat([this.pack(point.x), this.pack(point.y)])
  },
  unpack(data, readAt) {
    expectType<Buffer | Uint8Array>()(data)
    return readAt?.(data.byteOffset)
  },
})

addExtension<Point, [number, number]>({
  Class: Point,
  type: 2,
  write(point) {
    expectType<Packr>()(this)
    expectType<Point>()(point)
    return [point.x, point.y]
  },
  read(packed) {
    expectType<number | undefined>()(this.type)
    expectType<[number, number]>()(packed)
    return new Point(...packed)
  },
})

const pair: Extension<Point, [number, number]> = {
  Class: Point,
  write: (point) => [point.x, point.y],
  read: ([x, y]) => new Point(x, y),
}
addExtension(pair)
addExtension({ Class: Shape, type: 3, pack: () => [1, 2], unpack: () => null })
addExtension<Point>({
  Class: Point,
  type: 3,
  pack(point, allocate, packValue) {
    const { target, targetView, position } = allocate(2)
    expectType<Buffer>()(target)
    targetView.setUint16(position, point.x)
    expectType<void>()(packValue(point.y))
    return null
  },
})
addExtension<Shape>({ Class: Shape, write: (shape) => shape.area() })

// @ts-expect-error a value of another class
addExtension<Point>({ Class: Point, type: 4, unpack: () => new Date() })
// @ts-expect-error what is written is not what is read
addExtension<Point, number>({ type: 4, read: (packed: string) => new Point(packed.length, 1) })
// @ts-expect-error a type is a number
addExtension({ type: '4' })
// @ts-expect-error bytes are no text
addExtension({ Class: Point, type: 4, pack: () => ({ bytes: 'text' }) })
// @ts-expect-error no such field
addExtension({ Class: Point, type: 4, encode: () => Buffer.alloc(1) })
