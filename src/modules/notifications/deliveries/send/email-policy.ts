import { isInDomains } from '../../../../domain/channels/email-recipients.ts';
import type { Database, Tx } from '../../../../platform/database/index.ts';
import { findAddressesOfMembers } from '../../../accounts/index.ts';

/**
 * Which of these addresses, all in lowercase, an organization can send to: those of its members, and those in the domains
 * that the operator allows.
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
