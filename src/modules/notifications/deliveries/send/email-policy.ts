import { domainToUnicode } from 'node:url';
import { isInDomains, normalizeRecipient } from '../../../../domain/channels/email-recipients.ts';
import type { Database, Tx } from '../../../../platform/database/index.ts';
import { selectMemberAddresses } from '../../../accounts/index.ts';

function withUnicodeDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + domainToUnicode(address.slice(at));
}

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
  // Search for both forms of an internationalized domain, because accounts keep the form that people entered.
  const forms = others.flatMap((address) => [address, withUnicodeDomain(address)]);
  const found = others.length === 0 ? [] : await selectMemberAddresses(db, organizationId, forms);
  const members = new Set([...found].map(normalizeRecipient));
  return new Set(addresses.filter((address) => !others.includes(address) || members.has(address)));
}
