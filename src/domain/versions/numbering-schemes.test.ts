import { describe, expect, test } from 'vitest';
import type { NumberingSchemeId } from './numbering-schemes.ts';
import { versionScheme } from './versions.ts';

const cases: Record<NumberingSchemeId, { stable: string[]; development: string[] }> = {
  odd_minor: {
    stable: ['v5.42.0', '5.40', '5', 'GNOME_3_36_2', '3.36.2-alpine3.21'],
    development: ['v5.41.3', '5.41', 'GNOME_3_35_2', '3.35.2-alpine3.21', '1.9007199254740993'],
  },
  minor_90: {
    stable: ['GIMP_2_10_38', 'v6.4.5', '5.116.0', '91', '2.9.9'],
    development: ['GIMP_2_99_18', 'v6.4.90', 'v6.4.91', '1.20.99.901'],
  },
  patch_99: {
    stable: ['1.24.1', '1.25', '99.1', '1.98', '1.100'],
    development: ['1.24.99', '1.24.99.1', '1.99'],
  },
  ceph: { stable: ['v19.2.3', '19', '20.2.0-el9', '0.94.10'], development: ['v20.1.0', '20.0.0', 'v19.1.1'] },
};

describe.each(Object.entries(cases))('the numbering scheme %s', (id, { stable, development }) => {
  const scheme = versionScheme(id as NumberingSchemeId);

  test.each(stable)('parses %s as a stable release', (text) => {
    expect(scheme.parse(text)).toMatchObject({ isPrerelease: false });
  });

  test.each(development)(
    'parses %s as a pre-release, although `auto` parses it as a stable release',
    (text) => {
      expect(scheme.parse(text)).toMatchObject({ isPrerelease: true });
      expect(versionScheme('auto').parse(text)).toMatchObject({ isPrerelease: false });
    },
  );

  test('differs from `auto` only in the pre-release flag', () => {
    for (const text of [...stable, ...development, 'latest', '2.4.2-rc.1', '2.4.6-acmeos7']) {
      const auto = versionScheme('auto', 'acmeos').parse(text);
      const own = versionScheme(id as NumberingSchemeId, 'acmeos').parse(text);
      expect(own && { ...own, isPrerelease: null }).toEqual(auto && { ...auto, isPrerelease: null });
      if (auto?.isPrerelease) expect(own).toMatchObject({ isPrerelease: true });
    }
  });
});
