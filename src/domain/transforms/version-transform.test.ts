import { expect, test } from 'vitest';
import { applyVersionTransform, type VersionTransform } from './version-transform.ts';

function check(transform: VersionTransform, table: Record<string, string>): void {
  for (const [version, expected] of Object.entries(table)) {
    expect(applyVersionTransform(version, transform), `${transform} of ${version}`).toBe(expected);
  }
}

test('`none` leaves a version unchanged', () => {
  check('none', { '1.2.3': '1.2.3', 'v1.2.3': 'v1.2.3', V1: 'V1' });
});

test('`add_*` adds its letter unless the version starts with v or V', () => {
  check('add_v_lower', { '1.2.3': 'v1.2.3', 'v1.2.3': 'v1.2.3', 'V1.2.3': 'V1.2.3', version: 'version' });
  check('add_v_upper', { '1.2.3': 'V1.2.3', 'V1.2.3': 'V1.2.3', 'v1.2.3': 'v1.2.3', version: 'version' });
});

test('`strip_*` removes only one leading letter of the matching case', () => {
  check('strip_v_lower', {
    'v1.2.3': '1.2.3',
    vv1: 'v1',
    'V1.2.3': 'V1.2.3',
    '1.2.3': '1.2.3',
    '1v2': '1v2',
    v: '',
  });
  check('strip_v_upper', { 'V1.2.3': '1.2.3', 'v1.2.3': 'v1.2.3', '1.2.3': '1.2.3' });
});
