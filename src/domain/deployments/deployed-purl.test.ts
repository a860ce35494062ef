import { expect, test } from 'vitest';
import { deployedPurl } from './deployed-purl.ts';
import { readDeploymentEvent } from './deployment-event.ts';

const digest = `sha256:${'ab'.repeat(32)}`;

test.each([
  [null, '1.14.2', 'pkg:generic/checkout@1.14.2'],
  [null, '1.14.2 (blue) @2', 'pkg:generic/checkout@1.14.2%20(blue)%20%402'],
  ['https://git.example.org/acme/checkout', '1.14.2', 'pkg:generic/checkout@1.14.2'],
  ['ghcr.io/acme/checkout', '1.14.2', 'pkg:oci/checkout?repository_url=ghcr.io%2Facme%2Fcheckout&tag=1.14.2'],
  ['ghcr.io/acme/checkout', digest, `pkg:oci/checkout@${digest}?repository_url=ghcr.io%2Facme%2Fcheckout`],
  ['pkg:npm/%40acme/checkout@1.0.0', '1.14.2', 'pkg:npm/%40acme/checkout@1.14.2'],
  ['pkg:docker/acme/checkout@1.0.0?tag=1.0.0', '1.14.2', 'pkg:docker/acme/checkout@1.14.2'],
  [
    `pkg:oci/checkout@${digest}?repository_url=ghcr.io/acme/checkout&tag=1.0.0`,
    '1.14.2',
    `pkg:oci/checkout@${digest}?repository_url=ghcr.io%2Facme%2Fcheckout&tag=1.14.2`,
  ],
  [`pkg:generic/${'a'.repeat(995)}`, '1.14.2', 'pkg:generic/checkout@1.14.2'],
])(
  'the artifact %s with the version %s has a package URL from which this version is read',
  (artifact, version, purl) => {
    expect(deployedPurl({ service: 'checkout', version, artifact })).toBe(purl);
    const context = { id: 'a', source: '/s', type: 't', timestamp: 'T' };
    const subject = { id: 'checkout', content: { environment: { id: 'production' }, artifactId: purl } };
    expect(readDeploymentEvent({ context, subject })).toMatchObject({ report: { version } });
  },
);
