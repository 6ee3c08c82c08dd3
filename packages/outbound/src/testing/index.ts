/** For the tests of other packages. */
export { createDnsStub } from './dns-stub.ts';
export { type Behaviour, pour, type Receiver, reply, startReceiver } from './receivers.ts';
