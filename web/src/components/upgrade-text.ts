import type { Schemas } from '../../../src/generated/client-api.ts';
import { countOf, formatCount } from '../ui/format.ts';

type Upgrade = Schemas['Upgrade'];

/** Labels of the upgrade statuses, in the order of the tabs. */
export const upgradeStatusLabels: Readonly<Record<Schemas['UpgradeStatus'], string>> = {
  needs_action: 'Needs action',
  planned: 'Planned',
  snoozed: 'Snoozed',
  unknown: 'Unknown',
  ok: 'OK',
};

/** Short texts for the reasons of an upgrade, to be listed. */
export const reasonNouns: Readonly<Record<Schemas['AlertReason'], string>> = {
  behind: 'newer release',
  end_of_life: 'end of support',
  fix_available: 'fix not deployed',
  known_vulnerabilities: 'known vulnerabilities',
  release_moved: 'changed release',
  upstream_silent: 'no upstream releases',
  version_not_found: 'version not found upstream',
  version_unparseable: 'not a version',
};

/** Lists the reasons of an upgrade, such as "Newer release, known vulnerabilities". */
export function listReasons(reasons: Upgrade['reasons']): string {
  const text = reasons.map((reason) => reasonNouns[reason]).join(', ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Names an upgrade in a sentence, such as "Kafka 4.4.3". */
export const upgradeName = ({ gather_job, target_version }: Upgrade): string =>
  target_version === null ? gather_job.name : `${gather_job.name} ${target_version}`;

/** Names the menu with the actions for an upgrade. */
export const menuLabel = (upgrade: Upgrade): string => `Actions for ${upgradeName(upgrade)}`;

/**
 * Describes the versions that are deployed at the places of an upgrade with an open alert (or at all, if no alert is
 * open), such as "3.2.0" or "3.2.0 and 4 other versions".
 */
export function describeDeployed(upgrade: Upgrade): string {
  const [first, others] = listDeployed(upgrade);
  return `${first ?? 'unknown'}${others}`;
}

/** Returns the parts of `describeDeployed`: the version, and the text about the others, which can be empty. */
export function listDeployed({
  deployed_versions,
  deployed_version_count,
}: Upgrade): [string | null, string] {
  const first = deployed_versions.find(({ version }) => version !== null)?.version ?? null;
  const others = deployed_version_count - 1;
  return [first, first === null || others === 0 ? '' : ` and ${countOf(others, 'other version')}`];
}

/** Describes the number of places and the status of their alerts, such as "24 of 26 acknowledged, 1 snoozed". */
export const describePlaces = (upgrade: Upgrade): string => listPlaceStatuses(upgrade).join(', ');

/** Describes the places like `describePlaces`, but names the number of all places too. */
export function describeAllPlaces(upgrade: Upgrade): string {
  const { total, needs_action, planned, snoozed } = upgrade.places;
  const alerting = needs_action + planned + snoozed;
  if (alerting === 0 || alerting === total) return describePlaces(upgrade);
  const open = `${formatCount(alerting)} of ${formatCount(total)} with an open alert`;
  return planned + snoozed === 0 ? open : `${open}: ${describePlaces(upgrade)}`;
}

/** Returns the number of places that a row counts: those with an open alert or, if no alert is open, all. */
export function countPlaces({ places: { needs_action, planned, snoozed, total } }: Upgrade): number {
  return needs_action + planned + snoozed || total;
}

/** Returns the parts of `describePlaces`: one or two texts, of which the first contains the number of places. */
export function listPlaceStatuses(upgrade: Upgrade): [string, string?] {
  const { planned, snoozed } = upgrade.places;
  const alerting = countPlaces(upgrade);
  if (planned + snoozed === 0) return [countOf(alerting, 'place')];
  if (planned === 0) return [`${formatCount(snoozed)} of ${formatCount(alerting)} snoozed`];
  const acknowledged = `${formatCount(planned)} of ${formatCount(alerting)} acknowledged`;
  return snoozed === 0 ? [acknowledged] : [acknowledged, `${formatCount(snoozed)} snoozed`];
}

/** Returns the size of the step to the suggested version, such as "Major". */
export function describeJump({ jump, target_version }: Upgrade): string {
  if (target_version === null) return 'No upgrade yet';
  return jump === null ? '—' : { major: 'Major', minor: 'Minor', patch: 'Patch' }[jump];
}

/**
 * Returns the labels of the places of an upgrade by key, such as "environment=production · team=data and others", so
 * that values of different keys aren't mixed.
 */
export const formatLabels = (labels: Upgrade['labels']): string => listLabels(labels).join(' · ');

/** Number of labels in a row of a list. */
const mostLabelsInRow = 2;

/**
 * Returns the first labels for a row of a list, and the number of others: "environment=production · team=data and others ·
 * 2 more". Labels with the same value at all places come first, because they describe the upgrade best.
 */
export function formatFirstLabels(labels: Upgrade['labels']): string {
  const texts = listLabels(labels);
  const others = texts.length - mostLabelsInRow;
  return [...texts.slice(0, mostLabelsInRow), ...(others > 0 ? [`${others} more`] : [])].join(' · ');
}

function listLabels(labels: Upgrade['labels']): string[] {
  return Object.entries(labels)
    .toSorted(([, some], [, others]) => Number(some.length > 1) - Number(others.length > 1))
    .map(([key, values]) => `${key}=${values[0] ?? ''}${values.length > 1 ? ' and others' : ''}`);
}
