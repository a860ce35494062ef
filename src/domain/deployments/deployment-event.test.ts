import { expect, test } from 'vitest';
import { differingAttribute, readDeploymentEvent } from './deployment-event.ts';

const eventWith = (artifactId: string) => ({
  context: { id: 'a1', source: '/deployer', type: 'dev.cdevents.service.deployed.0.2.0', timestamp: 'T' },
  subject: { id: 'checkout', content: { environment: { id: 'production' }, artifactId } },
});

test.each([
  ['pkg:generic/checkout@1.14.2', '1.14.2'],
  ['pkg:npm/%40acme/checkout@1.14.2', '1.14.2'],
  ['pkg:golang/example.org/acme/checkout@v1.2.3', 'v1.2.3'],
  ['pkg:docker/acme/checkout@2.0.0', '2.0.0'],
  ['pkg:oci/checkout?repository_url=ghcr.io/acme/checkout&tag=1.14.2', '1.14.2'],
  [`pkg:oci/checkout@sha256%3A${'ab'.repeat(32)}?tag=1.14.2`, '1.14.2'],
  [`pkg:oci/checkout@sha256%3A${'ab'.repeat(32)}`, `sha256:${'ab'.repeat(32)}`],
])('%s is a deployment of the version %s', (artifactId, version) => {
  expect(readDeploymentEvent(eventWith(artifactId))).toEqual({
    report: { service: 'checkout', environment: 'production', version, artifact: artifactId, time: 'T' },
  });
});

test.each([
  ['checkout:1.14.2', /must be a package URL/],
  ['pkg:generic', /must be a package URL/],
  ['pkg:generic/checkout', /must have a version/],
  ['pkg:generic/checkout@', /must have a version/],
  ['pkg:generic/checkout@%20', /must have a version/],
  [`pkg:generic/checkout@${'1'.repeat(257)}`, /at most 256/],
  ['pkg:generic/checkout@1%00', /without control characters/],
  ['pkg:generic/checkout@%E2%80%AE1', /without control characters/],
])('the artifact %s has no version, and the message says what is required', (artifactId, message) => {
  expect(readDeploymentEvent(eventWith(artifactId))).toEqual({
    problem: { field: 'subject.content.artifactId', message: expect.stringMatching(message) },
  });
});

test('an envelope can repeat the attributes of the document, but not contradict them', () => {
  const event = eventWith('pkg:generic/checkout@1');
  const { id, source, type } = event.context;
  expect(differingAttribute(event, {})).toBeNull();
  expect(differingAttribute(event, { id, source, type })).toBeNull();
  expect(differingAttribute(event, { id: 'a2' })).toBe('id');
  expect(differingAttribute(event, { id, source: '/other' })).toBe('source');
  expect(differingAttribute(event, { type: 'dev.cdevents.service.removed.0.2.0' })).toBe('type');
});
