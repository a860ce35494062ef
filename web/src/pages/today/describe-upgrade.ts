import type { Schemas } from '../../../../src/generated/client-api.ts';
import { describeJump, describePlaces, reasonNouns } from '../../components/upgrade-text.ts';

type Today = Schemas['Today'];

/**
 * Maximum number of owners to show. Further owners aren't counted, because an upgrade has only the labels of
 * its most urgent places.
 */
const maxOwners = 2;

/**
 * Describes an upgrade in one line, such as "production · Major · 14 places · payments · known vulnerabilities".
 * @param isOfOneTeam True if all places belong to the selected team, so the line doesn't repeat it.
 */
export function describeUpgrade(
  { upgrade, production_severity }: Today['items'][number],
  { owner_label, production }: Pick<Today, 'owner_label' | 'production'>,
  isOfOneTeam: boolean,
): string {
  const labels = Object.values(upgrade.labels).flat();
  const named = production.filter((name) => labels.includes(name));
  return [
    production_severity !== null && (named.join(', ') || 'production'),
    (upgrade.jump !== null || upgrade.target_version === null) && describeJump(upgrade),
    describePlaces(upgrade),
    !isOfOneTeam && listOwners(upgrade.labels[owner_label] ?? []),
    // A newer release is the usual reason.
    ...upgrade.reasons.flatMap((reason) => (reason === 'behind' ? [] : [reasonNouns[reason]])),
  ]
    .filter(Boolean)
    .join(' · ');
}

function listOwners(owners: readonly string[]): string {
  const shown = owners.slice(0, maxOwners).join(', ');
  return owners.length > maxOwners ? `${shown}, and others` : shown;
}
