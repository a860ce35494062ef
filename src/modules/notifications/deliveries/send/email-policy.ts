import { isInDomains } from '../../../../domain/channels/email-recipients.ts';
import type { Database, Tx } from '../../../../platform/database/index.ts';
import { findAddressesOfMembers } from '../../../accounts/index.ts';

/**
 * Returns the addresses that an organization can send to: addresses of its members and addresses in domains
 * that the operator allows. All addresses must be lowercase.
 */
export async function findAllowedRecipients(
  db: Database | Tx,
  organizationId: number,
  addresses: readonly string[],
  domains: readonly string[],
): Promise<Set<string>> {
  const others = addresses.filter((address) => !isInDomains(address, domains));
  const members =
    others.length === 0 ? new Set<string>() : await findAddressesOfMembers(db, organizationId, others);
  return new Set(addresses.filter((address) => !others.includes(address) || members.has(address)));
}
