import { formatLag } from '../../domain/rules/format-lag.ts';
import { countsDays } from '../../domain/rules/rule-type.ts';
import { ruleTypes } from '../../domain/rules/rule-types.ts';
import { formatDaysLeft } from '../../domain/support/format-support.ts';
import { html } from './acknowledge-page-html.ts';
import type { BadgeRow } from './badge-queries.ts';

/** Background colors. White text on each of them has a contrast ratio of at least 4.5. */
const colors = {
  name: '#3b4148',
  ok: '#1a7344',
  moderate: '#8a6100',
  high: '#b34700',
  critical: '#c01c28',
  unknown: '#5b6370',
} as const;

type Tone = Exclude<keyof typeof colors, 'name'>;

const height = 20;
const padding = 6;
/**
 * Maximum number of characters in the name. Longer names and versions are truncated; the title contains their
 * full text.
 */
const maxNameCharacters = 48;
const shownVersionCharacters = 32;

/** Draws a badge with the name, the deployed version, and the state as text and color. */
export function drawBadge(badge: BadgeRow): string {
  const name = plainText(badge.name) || 'Alert configuration';
  const version = badge.deployed_version === null ? '' : plainText(badge.deployed_version);
  const { tone, label } = statusOf(badge);
  const left = clip(name, maxNameCharacters);
  const right = [clip(version, shownVersionCharacters), label].filter(Boolean).join(' · ');
  const severity = badge.severity === null || tone === 'unknown' ? '' : ` (${badge.severity})`;
  const title = `${name}: ${[version, label].filter(Boolean).join(', ')}${severity}`;
  const [leftWidth, rightWidth] = [widthOf(left), widthOf(right)];
  const split = leftWidth + 2 * padding;
  const width = split + rightWidth + 2 * padding;
  // `textLength` sets the width, so the text fits with any installed font.
  const text = (x: number, textWidth: number, shown: string) =>
    html`<text x="${x}" y="14" textLength="${textWidth}" lengthAdjust="spacingAndGlyphs">${shown}</text>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="round"><rect width="${width}" height="${height}" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="${split}" height="${height}" fill="${colors.name}"/><rect x="${split}" width="${width - split}" height="${height}" fill="${colors[tone]}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" aria-hidden="true">${text(padding, leftWidth, left)}${text(split + padding, rightWidth, right)}</g>
</svg>
`.html;
}

function statusOf(badge: BadgeRow): { tone: Tone; label: string } {
  const { state, severity, deployed_version, behind_by, days_left, rule_type } = badge;
  switch (state) {
    case 'inactive':
      return { tone: 'unknown', label: 'disabled' };
    case 'no_data':
      return { tone: 'unknown', label: 'no data' };
    case 'stale':
      return { tone: 'unknown', label: 'stale' };
    case 'ok':
    case 'alerting': {
      if (deployed_version === null) return { tone: 'unknown', label: 'no data' };
      const label =
        ruleTypes[rule_type].kind === 'support'
          ? formatBadgeSupport(days_left, severity)
          : behind_by === null
            ? 'not found upstream'
            : formatBadgeLag(badge, behind_by);
      return { tone: severity ?? 'ok', label };
    }
  }
}

/** Formats the support status. If the date isn't known, a severity means that support has ended. */
function formatBadgeSupport(daysLeft: number | null, severity: BadgeRow['severity']): string {
  if (daysLeft !== null) return formatDaysLeft(daysLeft);
  return severity === null ? 'supported' : 'ended';
}

/**
 * Formats the lag. A lag of 0 isn't enough for "up to date", because newer releases can exist that the rule doesn't
 * count: a rule that counts major versions reports 0 although newer minor versions exist.
 */
function formatBadgeLag(
  { rule_type, state_reason, deployed_version, latest_version }: BadgeRow,
  behindBy: number,
): string {
  const type = ruleTypes[rule_type];
  if (behindBy === 0 && type.kind === 'vulnerabilities')
    return countsDays(type) ? 'no fix missing' : 'no known vulnerabilities';
  const lag = formatLag(behindBy, rule_type, 'shortUnit');
  if (behindBy > 0 || (type.kind !== 'version_age' && type.kind !== 'version_count')) return lag;
  if (state_reason === 'ahead_of_upstream') return 'ahead of upstream';
  if (latest_version === null) return 'no release to compare';
  return state_reason === null && bareVersion(deployed_version ?? '') === bareVersion(latest_version)
    ? 'up to date'
    : `within rule, ${lag}`;
}

/** Removes a leading "v", because upstream often adds it to the deployed version. */
const bareVersion = (version: string) => version.toLowerCase().replace(/^v/, '');

/**
 * Removes characters that XML doesn't allow, invisible characters, and characters that change the text
 * direction.
 */
function plainText(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/\p{C}/gu, '')
    .trim();
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

function clip(text: string, length: number): string {
  const characters = Array.from(segmenter.segment(text), ({ segment }) => segment);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** Estimates the width of a text in Verdana at 11 px. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    if (/[ijlI.,:;'|!()[\]frt ·-]/.test(character)) width += 4.6;
    else if (/[mwMW@%…]/.test(character)) width += 10.5;
    else if (/[A-Z0-9]/.test(character)) width += 7.4;
    else width += character.codePointAt(0)! >= 0x11_00 ? 11.5 : 6.8;
  }
  return Math.max(1, Math.round(width));
}
