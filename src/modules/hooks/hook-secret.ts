import type { SecretContext } from '../../platform/secrets/index.ts';

/** Returns the context that the sealed secret of a hook is bound to. */
export function secretContext(organizationId: number, hookId: number): SecretContext {
  return { organizationId, table: 'hooks', rowId: hookId, column: 'secret_sealed' };
}
