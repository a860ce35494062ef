import { expect, test } from 'vitest';
import { formatPurl } from '../artifacts/purl.ts';
import { deployedPackage } from './deployed-package.ts';

const digest = `sha256:${'ab'.repeat(32)}`;

test.each([
  ['1.14.2', ['ghcr.io/acme/web'], 'pkg:oci/web?repository_url=ghcr.io%2Facme%2Fweb&tag=1.14.2'],
  [
    `1.14.2@${digest}`,
    ['ghcr.io/acme/web'],
    `pkg:oci/web@${digest}?repository_url=ghcr.io%2Facme%2Fweb&tag=1.14.2`,
  ],
  [null, ['pkg:github/argoproj/argo-cd'], 'pkg:github/argoproj/argo-cd'],
  ['v2.11.0', ['not an artifact', 'pkg:github/argoproj/argo-cd'], 'pkg:github/argoproj/argo-cd@v2.11.0'],
  ['1.0.0', ['https://git.example.org/acme/web'], null],
  ['1.0.0', [], null],
])('the version %s of %j has the package URL %s', (version, artifacts, expected) => {
  const purl = deployedPackage({ name: 'web', version, artifacts });
  expect(purl && formatPurl(purl)).toBe(expected);
});
