/**
 * All requests to targets that a user can choose (webhooks, sources, git) go through the *outbound client*.
 * Its *egress guard* decides which addresses are allowed.
 */
export {
  createEgressGuard,
  type EgressGuard,
  type EgressVerdict,
  normalizeHost,
} from './egress-guard.ts';
export type { GuardedConnect } from './guarded-connect.ts';
export { type AllowHttp, createHttpPolicy, isHostEntry, type OutboundPurpose } from './http-policy.ts';
export {
  type NetworkSettings,
  openOutbound,
  openOutboundTo,
  pickNetwork,
  prepareNetwork,
} from './network-settings.ts';
export {
  createOutboundClient,
  type OutboundClient,
  type OutboundClientOptions,
  type OutboundHead,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStream,
  type OutboundTruncatedResponse,
  resolveHeaderUrl,
} from './outbound-client.ts';
export { OutboundError, type OutboundErrorCode, plainHttpSentence } from './outbound-error.ts';
export { createOutboundProxy } from './outbound-proxy.ts';
export { createNameResolver, type ResolveName } from './resolve-name.ts';
export { sendAndClose } from './send-and-close.ts';
export { certificateBundle } from './trusted-certificates.ts';
