import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../tests/helpers/database.ts';
import { createMonitoredSoftware, type MonitoredOptions } from '../../../tests/helpers/monitored.ts';
import { elementsOf, readXml, type XmlElement } from '../../../tests/helpers/read-xml.ts';
import { startTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import { createTokenSigner } from '../../platform/secrets/index.ts';
import { makeBadgeToken } from './badge-link.ts';
import type { BadgeRow } from './badge-queries.ts';
import { drawBadge } from './badge-svg.ts';

const secretKey = randomBytes(32);
const server = await startTestServer({ PACEKEEPER_SECRET_KEY: secretKey.toString('base64') });
const { db, url: baseUrl } = server;

interface Badged {
  organization: TestOrganization;
  configId: number;
  url: string;
  markdown: string;
}

async function createBadged(options?: MonitoredOptions): Promise<Badged> {
  const organization = await server.createOrganization();
  const { configId } = await createMonitoredSoftware(server, organization, options);
  await organization.api.call('evaluateRules');
  const badge = await organization.api.call('getAlertConfigBadge', { path: { id: configId } });
  return { organization, configId, ...badge };
}

async function titleAt(url: string): Promise<string> {
  const answer = await fetch(url);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return titleOf(readXml(text));
}

const textOf = ({ children }: XmlElement) => children.filter((child) => typeof child === 'string').join('');
const titleOf = (svg: XmlElement) => textOf(elementsOf(svg).find(({ name }) => name === 'title')!);
const shownTexts = (svg: XmlElement) =>
  elementsOf(svg)
    .filter(({ name }) => name === 'text')
    .map(textOf);

async function expectNoBadge(url: string): Promise<void> {
  const answer = await fetch(url);
  expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
    status: 404,
    type: 'application/json; charset=utf-8',
  });
  expect(await answer.text()).not.toContain('<svg');
}

describe('a badge', () => {
  test('shows the deployed version and its lag without a login', async () => {
    const { url, markdown, configId } = await createBadged();
    expect(url.startsWith(`${baseUrl}/badge/`)).toBe(true);
    expect(markdown).toBe(`[![web](${url})](${baseUrl}/alert-configs/${configId})`);
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'max-age=60',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.* sandbox$/),
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    const svg = readXml(await answer.text());
    expect(titleOf(svg)).toBe('web: 1.0.0, 2 majors behind (high)');
    expect(shownTexts(svg)).toEqual(['web', '1.0.0 · 2 majors behind']);
  });

  test('follows the deployed version, and counts the days at the time of the request', async () => {
    const { url, organization, configId } = await createBadged({
      rule: {
        rule_type: 'days_behind',
        thresholds: { moderate: 30, critical: 65 },
        days_basis: 'deployed_release',
      },
    });
    expect(await titleAt(url)).toBe('web: 1.0.0, 60 days behind (moderate)');
    await setClockOffset(db, '1 day');
    expect(await titleAt(url)).toBe('web: 1.0.0, 61 days behind (moderate)');
    await setClockOffset(db, '0');
    const { scrape_job_id } = await organization.api.call('getAlertConfig', { path: { id: configId } });
    await organization.api.call('setScrapeJobVersion', {
      path: { id: scrape_job_id },
      body: { version: '3.0.0' },
    });
    await organization.api.call('evaluateRules');
    expect(await titleAt(url)).toBe('web: 3.0.0, up to date');
  });

  test('keeps the same URL, which works until the configuration is deleted', async () => {
    const { url, organization, configId } = await createBadged();
    const again = await organization.api.call('getAlertConfigBadge', { path: { id: configId } });
    expect(again.url).toBe(url);
    await setClockOffset(db, '100 years');
    expect((await fetch(url)).status).toBe(200);
    await setClockOffset(db, '0');
    await organization.api.call('deleteAlertConfig', { path: { id: configId } });
    await expectNoBadge(url);
  });

  test('returns 404 if its organization disabled badges, while other organizations keep theirs', async () => {
    const [ours, theirs] = [await createBadged(), await createBadged()];
    const path = { key: 'badges.enabled' };
    await ours.organization.owner.call('putOrgOverride', { path, body: { value: false } });
    await expectNoBadge(ours.url);
    expect((await fetch(theirs.url)).status).toBe(200);
    await sql`INSERT INTO settings (organization_id, key, value) VALUES (1, 'badges.enabled', 'false')`.execute(
      db,
    );
    await expectNoBadge(theirs.url);
    await ours.organization.owner.call('putOrgOverride', { path, body: { value: true } });
    expect((await fetch(ours.url)).status).toBe(200);
    await sql`DELETE FROM settings WHERE organization_id = 1`.execute(db);
  });

  test('is not available to other organizations', async () => {
    const { configId } = await createBadged();
    const other = await server.createOrganization();
    await expect(other.api.call('getAlertConfigBadge', { path: { id: configId } })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('rejects tokens that were altered or are not for a badge, and reads the database only for tokens with a valid signature', async () => {
    const { url, organization, configId } = await createBadged();
    const target = { organizationId: organization.id, alertConfigId: configId };
    const token = url.slice(`${baseUrl}/badge/`.length, -'.svg'.length);
    const signer = (purpose: 'badge' | 'acknowledge-link', current = secretKey) =>
      createTokenSigner({ purpose, current });
    expect(makeBadgeToken(signer('badge'), target)).toBe(token);
    const other = await server.createOrganization();
    const [key, end, , mac] = token.split('.');
    const claims = Buffer.from(JSON.stringify({ o: other.id, c: configId })).toString('base64url');
    const foreign = [
      makeBadgeToken(signer('badge', randomBytes(32)), target),
      makeBadgeToken(signer('acknowledge-link'), target),
      [key, end, claims, mac].join('.'),
      token.slice(0, -1),
      `${token}A`,
      '%00',
      '..%2f',
      'x'.repeat(500),
    ];
    const statements = await server.statementsOf(async () => {
      for (const wrong of foreign) await expectNoBadge(`${baseUrl}/badge/${wrong}.svg`);
      await expectNoBadge(url.slice(0, -'.svg'.length));
    });
    expect(statements.filter((text) => text.includes('alert_configs c'))).toEqual([]);
    // This token has a valid signature, but its configuration belongs to another organization.
    const mixed = makeBadgeToken(signer('badge'), { ...target, organizationId: other.id });
    await expectNoBadge(`${baseUrl}/badge/${mixed}.svg`);
  });

  test('requires one statement', async () => {
    const { url } = await createBadged();
    const statements = await server.statementsOf(() => fetch(url));
    expect(
      statements.filter((text) => text.includes('badges.enabled') || text.includes('alert_configs c')),
    ).toHaveLength(1);
  });
});

const row: BadgeRow = {
  name: 'web',
  state: 'ok',
  state_reason: null,
  severity: null,
  deployed_version: '1.0.0',
  latest_version: '1.0.0',
  behind_by: 0,
  days_left: null,
  rule_type: 'days_behind',
};

describe('the image of a badge', () => {
  test.each<[Partial<BadgeRow>, string]>([
    [{}, '1.0.0 · up to date'],
    [{ latest_version: 'v1.0.0' }, '1.0.0 · up to date'],
    [{ latest_version: '1.5.0', rule_type: 'majors_behind' }, '1.0.0 · within rule, 0 majors behind'],
    [{ latest_version: '1.0.9', rule_type: 'minors_behind' }, '1.0.0 · within rule, 0 minors behind'],
    [{ latest_version: '1.5.0' }, '1.0.0 · within rule, 0 days behind'],
    [{ latest_version: null, state_reason: 'no_candidate' }, '1.0.0 · no release to compare'],
    [{ latest_version: '0.9.0', state_reason: 'ahead_of_upstream' }, '1.0.0 · ahead of upstream'],
    [{ state_reason: 'variant_ended' }, '1.0.0 · within rule, 0 days behind'],
    [{ rule_type: 'known_vulnerabilities' }, '1.0.0 · no known vulnerabilities'],
    [{ rule_type: 'vulnerability_age' }, '1.0.0 · no fix missing'],
    [{ rule_type: 'upstream_silent' }, '1.0.0 · 0 days since the newest release'],
    [{ rule_type: 'release_integrity' }, '1.0.0 · 0 changes of the published release'],
    [{ behind_by: 1 }, '1.0.0 · 1 day behind'],
    [{ behind_by: 45, state: 'alerting', severity: 'moderate' }, '1.0.0 · 45 days behind'],
    [{ behind_by: 1, rule_type: 'majors_behind', severity: 'high' }, '1.0.0 · 1 major behind'],
    [{ behind_by: 7, rule_type: 'minors_behind', severity: 'critical' }, '1.0.0 · 7 minors behind'],
    [{ behind_by: null, state: 'alerting', severity: 'critical' }, '1.0.0 · not found upstream'],
    [{ rule_type: 'end_of_life', behind_by: null, days_left: 12 }, '1.0.0 · 12 days left'],
    [{ rule_type: 'end_of_life', behind_by: null, days_left: -1 }, '1.0.0 · ended 1 day ago'],
    [{ rule_type: 'end_of_life', behind_by: null, severity: 'high' }, '1.0.0 · ended'],
    [{ state: 'no_data', deployed_version: null, behind_by: null }, 'no data'],
    [{ deployed_version: null, behind_by: null }, 'no data'],
    [{ state: 'stale', behind_by: 3, severity: 'high' }, '1.0.0 · stale'],
    [{ state: 'inactive', behind_by: null }, '1.0.0 · disabled'],
  ])('for %j shows "%s"', (change, words) => {
    expect(shownTexts(readXml(drawBadge({ ...row, ...change })))).toEqual(['web', words]);
  });

  test('has a different color for each severity, and white text is readable on all of them', () => {
    const colours = [
      {},
      ...(['moderate', 'high', 'critical'] as const).map((severity) => ({
        severity,
        state: 'alerting' as const,
      })),
      { state: 'no_data' as const },
    ].map((change) => {
      const fills = elementsOf(readXml(drawBadge({ ...row, ...change }))).flatMap(({ name, attributes }) =>
        name === 'rect' ? (attributes['fill'] ?? []) : [],
      );
      for (const fill of fills) expect(contrastWithWhite(fill), fill).toBeGreaterThanOrEqual(4.5);
      return fills.at(-1);
    });
    expect(new Set(colours).size).toBe(5);
  });

  test.each([
    '</title><script>alert(1)</script>',
    '"><image href="https://evil.example/x.png" onload="alert(1)"/>',
    '&amp;&#60;script&#62; ]]> <!-- -->',
    `' onload='alert(1)`,
    'a\u0000b\u0001\u001F\uFFFE\uFFFF\u2028c',
    '\u202Egnp.exe\u2066',
    '日本語のサービス 🦑👩‍👩‍👧',
    'x'.repeat(200),
    '\u200B',
  ])('for the name %j is well-formed, contains the name as text, and has no active content', (hostile) => {
    const svg = readXml(drawBadge({ ...row, name: hostile, deployed_version: hostile }));
    const elements = elementsOf(svg);
    expect(new Set(elements.map(({ name }) => name))).toEqual(
      new Set(['svg', 'title', 'clipPath', 'rect', 'g', 'text']),
    );
    const attributes = new Set(elements.flatMap((element) => Object.keys(element.attributes)));
    expect([...attributes].filter((name) => /^on|href|style|src/.test(name))).toEqual([]);
    const visible = hostile
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .replaceAll(/\p{C}/gu, '')
      .trim();
    expect(titleOf(svg)).toContain(visible);
    expect(svg.attributes['aria-label']).toBe(titleOf(svg));
    expect(shownTexts(svg).join('')).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    expect(Number(svg.attributes['width'])).toBeLessThan(1_200);
  });
});

test('the Markdown of a badge escapes the name', async () => {
  const { organization, configId } = await createBadged();
  const name = '](https://evil.example) <script> ![x]\n`y` *z*';
  await organization.api.call('updateAlertConfig', { path: { id: configId }, body: { name } });
  const { markdown, url } = await organization.api.call('getAlertConfigBadge', { path: { id: configId } });
  expect(markdown).toBe(
    String.raw`[![\]\(https\://evil.example\) \<script\> \!\[x\] \`y\` \*z\*](${url})](${baseUrl}/alert-configs/${configId})`,
  );
});

function contrastWithWhite(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
