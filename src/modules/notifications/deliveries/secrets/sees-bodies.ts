import type { Caller } from '../../../../platform/http/index.ts';

/**
 * True if the caller can see message and response bodies. Templates and receivers can write data to them that
 * masking can't detect.
 */
export function canSeeBodies({ role }: Pick<Caller, 'role'>): boolean {
  return role === 'admin' || role === 'owner';
}
