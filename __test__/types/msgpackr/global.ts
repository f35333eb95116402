// A script that is no module, where msgpackr is a global name.
/// <reference types="msgpackr" />

const globalPackr: msgpackr.Packr = new msgpackr.Packr()
const _globalBytes: Buffer = globalPackr.pack(msgpackr.unpack(msgpackr.encode(1)))
