import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow by a fifth between two full collections. Where a machine has much memory V8 lets it grow to four times
 * of what is alive, and a large evaluation holds 450 MB in place of 300; it is a tenth faster that way.
 *
 * Nothing is allocated old from the start: such objects keep what they refer to until a full collection, although most of them
 * end with the request.
 */
export function limitMemory(): void {
  setFlagsFromString('--heap-growing-percent=20');
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * Keeps the young generation of this process at its initial size. In a mostly idle process, V8 lets it grow to 32 MB and
 * never shrinks it, which doesn't make an agent faster. The initial size can be set only when Node starts.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
