import { describe, expect, test, vi } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { readTerraformJson } from './read-terraform-json.ts';

const files = {
  'main.tf.json': `{
  "//": "generated",
  "terraform": {
    "required_version": "1.9.0",
    "required_providers": { "aws": { "source": "hashicorp/aws", "version": "5.31.0" } }
  },
  "variable": { "chart": { "default": "4.10.0" } },
  "locals": { "tag": "1.2.3" },
  "module": { "vpc": { "source": "terraform-aws-modules/vpc/aws", "version": "5.1.0" } },
  "resource": {
    "helm_release": [
      {
        "ingress": [
          { "chart": "ingress-nginx", "repository": "https://kubernetes.github.io/ingress-nginx",
            "version": "\${var.chart}" }
        ]
      }
    ],
    "kubernetes_deployment": {
      "web": {
        "spec": { "template": { "spec": { "container": [
          { "name": "web", "image": "ghcr.io/acme/web:\${local.tag}" },
          { "name": "proxy", "image": "envoyproxy/envoy:v1.30.1" }
        ] } } }
      }
    },
    "aws_db_instance": { "db": { "engine": "postgres", "engine_version": 15.4 } }
  }
}
`,
};

describe('Terraform in JSON', () => {
  test('yields the versions of the same configuration in HCL', () => {
    const hcl = {
      'main.tf': `terraform {
  required_version = "1.9.0"
  required_providers {
    aws = { source = "hashicorp/aws", version = "5.31.0" }
  }
}
variable "chart" { default = "4.10.0" }
locals { tag = "1.2.3" }
module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.1.0"
}
resource "helm_release" "ingress" {
  chart      = "ingress-nginx"
  repository = "https://kubernetes.github.io/ingress-nginx"
  version    = var.chart
}
resource "kubernetes_deployment" "web" {
  spec {
    template {
      spec {
        container {
          name  = "web"
          image = "ghcr.io/acme/web:\${local.tag}"
        }
        container {
          name  = "proxy"
          image = "envoyproxy/envoy:v1.30.1"
        }
      }
    }
  }
}
resource "aws_db_instance" "db" {
  engine         = "postgres"
  engine_version = 15.4
}
`,
    };
    const itemsOf = (given: Record<string, string>) =>
      discoverFiles(given).items.map(({ key, artifact, version, reason }) => [
        key,
        artifact.name,
        version,
        reason,
      ]);
    expect(itemsOf(files)).toEqual(itemsOf(hcl));
    expect(itemsOf(files)).toHaveLength(7);
  });

  test('yields versions with their lines', () => {
    expect(discoverFiles(files).items.map(({ artifact, place }) => [artifact.name, place.line])).toEqual([
      ['terraform', 4],
      ['hashicorp/aws', 5],
      ['terraform-aws-modules/vpc/aws', 9],
      ['ingress-nginx', 15],
      ['ghcr.io/acme/web', 22],
      ['envoyproxy/envoy', 23],
      ['amazon-rds-postgresql', 27],
    ]);
  });

  test.each([
    ['terraform.tfvars.json', '1.1.0'],
    ['prod.auto.tfvars.json', '1.1.0'],
    ['other.tfvars.json', '1.0.0'],
  ])('with variables in %s, a release has the version %s', (name, version) => {
    const { items } = discoverFiles({
      'main.tofu.json': `{ "variable": { "v": { "default": "1.0.0" } },
        "resource": { "helm_release": { "a": { "chart": "a", "repository": "https://a.example.org", "version": "\${var.v}" } } } }`,
      [name]: '{ "v": "1.1.0" }',
    });
    expect(items.map((item) => item.version)).toEqual([version]);
  });

  test.each([
    ['a list', '[]'],
    ['text that is not JSON', '{ "terraform": { }'],
    ['a comment', '{ "terraform": { } } // comment'],
    ['too many levels', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['too many values', `{"a":[${'1,'.repeat(100_001)}1]}`],
    ['many levels', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
  ])('%s is not read', (_, text) => {
    expect(readTerraformJson(text)).toBeNull();
  });

  test('blocks of an unexpected shape yield nothing and cause no error', () => {
    for (const text of [
      '{ "resource": [1, "a", null] }',
      '{ "resource": { "helm_release": "a" } }',
      '{ "module": { "a": [[{}]] }, "variable": { "b": null }, "terraform": [] }',
      '{ "locals": { "__proto__": { "engine": "postgres" } } }',
    ])
      expect(discoverFiles({ 'main.tf.json': text }).items).toEqual([]);
    expect(readTerraformJson('\uFEFF{ "locals": { "a": "b" } }')?.blocks).toHaveLength(1);
  });

  test('each line break is searched for only once, and not again for each value', () => {
    const text = `{"a":[${'1,'.repeat(1_000)}1],\n"b":"c"}`;
    const search = vi.spyOn(String.prototype, 'indexOf');
    const body = readTerraformJson(`{"locals":${text}}`);
    const searched = search.mock.calls.filter(([wanted]) => wanted === '\n').length;
    search.mockRestore();
    expect(searched).toBe(2);
    expect(body?.blocks[0]?.body.attributes.get('b')).toEqual({ kind: 'text', text: 'c', line: 2 });
  });
});
