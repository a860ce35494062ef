import { describe, expect, test } from 'vitest';
import { chartPurl, gitPurl, imagePurl, terraformPurl } from '../artifacts/purl.ts';
import { normalizeArtifactKey } from './artifact-key.ts';

describe('the key of an artifact in a correction', () => {
  test.each([
    imagePurl('ghcr.io/acme/web'),
    imagePurl('localhost:5000/acme/web'),
    imagePurl('redis'),
    chartPurl('https://charts.jetstack.io', 'cert-manager'),
    chartPurl('http://Charts.example.org/A b/', 'Web'),
    gitPurl('https://github.com/Acme/Web.git'),
    gitPurl('git@git.example.org:Acme/Web.git'),
    terraformPurl('registry.terraform.io', ['hashicorp', 'aws']),
    terraformPurl('registry.opentofu.org', ['Hashicorp', 'consul', 'aws']),
    'image:registry.local/shop',
    'terraform_module:./modules/shop',
    'unknown:web',
  ])('is the same as the key of discovered items: %s', (key) => {
    expect(normalizeArtifactKey(key!)).toEqual({ ok: true, key });
  });

  test.each([
    ['pkg:docker/library/redis@7.2', 'pkg:oci/redis?repository_url=docker.io%2Flibrary%2Fredis'],
    [
      ' pkg:oci/web?repository_url=ghcr.io/acme/web&tag=1 ',
      'pkg:oci/web?repository_url=ghcr.io%2Facme%2Fweb',
    ],
    ['pkg:github/Acme/Web', 'pkg:github/acme/web'],
  ])('can be written in other ways: %s', (text, key) => {
    expect(normalizeArtifactKey(text)).toEqual({ ok: true, key });
  });

  test.each([
    '',
    'web',
    'image:',
    ':web',
    'container:web',
    'ghcr.io/acme/web',
    'pkg:',
    'pkg:oci',
    'pkg:oci/%',
  ])('is rejected with a message that describes both valid forms: %j', (text) => {
    expect(normalizeArtifactKey(text)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/package URL/),
    });
  });

  test("is rejected if it exceeds the maximum length of an item's key", () => {
    expect(normalizeArtifactKey(`image:${'ä'.repeat(600)}`)).toEqual({
      ok: false,
      message: 'must have at most 1200 bytes',
    });
  });
});
