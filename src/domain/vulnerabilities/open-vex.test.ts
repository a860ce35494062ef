import { describe, expect, test } from 'vitest';
import { vexErrors } from '../../../tests/helpers/document-schemas.ts';
import { ignoreReasons, type StoredIgnore } from './ignored-vulnerability.ts';
import { openVex } from './open-vex.ts';

const now = new Date('2026-11-21T05:10:00.000Z');
const context = { id: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79', author: 'Acme', tooling: 'test', now };
const deployed = {
  name: 'web in production',
  version: '1.14.2',
  artifacts: ['ghcr.io/acme/web'],
  pageUrl: 'https://pacekeeper.example.org/software/7',
};

function statementOf(ignore: Partial<StoredIgnore>, more: Partial<typeof deployed> = {}) {
  const stored = {
    id: 'CVE-2026-1',
    until: null,
    reason: null,
    note: '',
    at: '2026-11-20T05:10:00.000Z',
    by: 'Dana',
    ...ignore,
  };
  const steps = openVex(context, [{ ...deployed, ...more, ignore: stored }]);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const document = step.value;
  expect(vexErrors(document)).toEqual([]);
  return document.statements[0]!;
}

describe('a statement about an ignored vulnerability', () => {
  const states: Record<(typeof ignoreReasons)[number], string> = {
    component_not_present: 'not_affected',
    vulnerable_code_not_present: 'not_affected',
    vulnerable_code_not_in_execute_path: 'not_affected',
    vulnerable_code_cannot_be_controlled_by_adversary: 'not_affected',
    inline_mitigations_already_exist: 'not_affected',
    fixed: 'fixed',
    risk_accepted: 'affected',
  };

  test.each(ignoreReasons)(
    'is valid and has the status of the reason %s, with and without a note',
    (reason) => {
      for (const note of ['', 'See TICKET-7'])
        expect(statementOf({ reason, note })).toMatchObject({ status: states[reason] });
    },
  );

  test('is under investigation without a reason, whatever the note says', () => {
    expect(statementOf({ note: 'Not affected, I think' })).toEqual({
      vulnerability: { name: 'CVE-2026-1' },
      timestamp: '2026-11-20T05:10:00.000Z',
      products: [
        {
          '@id': 'pkg:oci/web?repository_url=ghcr.io%2Facme%2Fweb&tag=1.14.2',
          identifiers: { purl: 'pkg:oci/web?repository_url=ghcr.io%2Facme%2Fweb&tag=1.14.2' },
        },
      ],
      status: 'under_investigation',
      status_notes: 'Ignored by Dana. Not affected, I think',
    });
  });

  test('has a justification and an impact statement only if a person gave them', () => {
    expect(statementOf({ reason: 'component_not_present', note: 'No OpenSSL' })).toMatchObject({
      justification: 'component_not_present',
      impact_statement: 'No OpenSSL',
    });
    const statement = statementOf({ reason: 'fixed', note: 'Backport' });
    expect(Object.keys(statement)).not.toContain('justification');
    expect(statement.status_notes).toBe('Ignored by Dana. Backport');
  });

  test('states until when the vulnerability is ignored', () => {
    const { status_notes } = statementOf({ until: '2026-12-31T00:00:00.000Z' });
    expect(status_notes).toBe('Ignored by Dana until 2026-12-31T00:00:00.000Z.');
  });

  test('is never about all versions: without a known version or artifact, it names the page of the software', () => {
    const products = [{ '@id': deployed.pageUrl }];
    expect(openVexProducts({ version: null })).toEqual(products);
    expect(openVexProducts({ artifacts: ['https://git.example.org/acme/web'] })).toEqual(products);
  });

  function openVexProducts(more: object) {
    return statementOf({}, more).products;
  }
});
