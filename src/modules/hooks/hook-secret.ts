import type { SecretContext } from '../../platform/secrets/index.ts';

/** Where the secret of a hook is sealed. */
export function secretContext(organizationId: number, hookId: number): SecretContext {
  return { organizationId, table: 'hooks', rowId: hookId, column: 'secret_sealed' };
}
