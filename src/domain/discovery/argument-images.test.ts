import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';

/** Returns the images of a file, each with its line and its field. */
function imagesOf(path: string, text: string): string[] {
  return discoverFiles({ [path]: text }).items.flatMap(({ artifact, version, place, reason }) =>
    artifact.kind === 'image' && place.field !== 'containers[manager]'
      ? `${place.line} ${place.field} ${artifact.name} ${version ?? '-'}${reason === null ? '' : ` (${reason})`}`
      : [],
  );
}

const deployment = (container: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: operator }
spec:
  template:
    spec:
      containers:
        - name: manager
          image: acme/manager:1.0.0
${container}`;

describe('an image that a container gets', () => {
  test.each([
    [
      'as an argument',
      '          args: ["--sidecar-image=acme/sidecar:1.2.3"]\n',
      ['10 containers[manager] --sidecar-image acme/sidecar 1.2.3'],
    ],
    [
      'as two arguments',
      '          command:\n            - --engine-image\n            - "acme/engine:v1.2.3"\n',
      ['12 containers[manager] --engine-image acme/engine v1.2.3'],
    ],
    [
      'as the value of an option with another name',
      '          args:\n            - --config-reloader=quay.io/acme/reloader:v0.73.0\n',
      ['11 containers[manager] --config-reloader quay.io/acme/reloader v0.73.0'],
    ],
    [
      'with a digest only',
      `          args:\n            - --image=acme/a@sha256:${'0'.repeat(64)}\n`,
      ['11 containers[manager] --image acme/a - (digest)'],
    ],
    [
      'in a variable',
      '          env:\n            - name: RELATED_IMAGE_PROXY\n              value: quay.io/acme/proxy:1.4.2\n            - { name: HOST, value: "a.example:8080" }\n',
      ['12 containers[manager] env RELATED_IMAGE_PROXY quay.io/acme/proxy 1.4.2'],
    ],
  ])('is read from a manifest: %s', (_, container, expected) => {
    expect(imagesOf('operator.yaml', deployment(container))).toEqual(expected);
  });

  test.each([
    '          args: ["--listen=db.acme.org/a:8080", "--image-pull-policy=Always", "--image=$(IMAGE):1.0.0"]\n',
    '          args: ["--image", "--other", "acme/web:1.0.0"]\n',
    '          args: ["serve", "acme/web:1.0.0"]\n',
    '          env:\n            - { name: IMAGE_DIRECTORY, value: /var/images }\n',
  ])('is not read from other arguments and variables: %#', (container) => {
    expect(imagesOf('operator.yaml', deployment(container))).toEqual([]);
  });

  test('is read from the values of a chart', () => {
    expect(
      imagesOf(
        'values.yaml',
        'image: ghcr.io/acme/manager:1.0.0\nextraArgs:\n  - --proxy-image=quay.io/acme/proxy:1.4.2\nextraEnv:\n  - name: JOB_IMAGE\n    value: quay.io/acme/job:2.0.0\n',
      ),
    ).toEqual([
      '1 image ghcr.io/acme/manager 1.0.0',
      '3 extraArgs --proxy-image quay.io/acme/proxy 1.4.2',
      '6 extraEnv env JOB_IMAGE quay.io/acme/job 2.0.0',
    ]);
  });
});
