import type { Caller } from '../../../../platform/http/index.ts';

/** Bodies hold what a template or a receiver put there: more than masking can know. */
export function seesBodies({ role }: Pick<Caller, 'role'>): boolean {
  return role === 'admin' || role === 'owner';
}
