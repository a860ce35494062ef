import { describe, expect, test } from 'vitest';
import { describeItems, discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { readRealProducts } from '../../../tests/helpers/lifecycle-files.ts';
import { hasTestData } from '../../../tests/helpers/test-data.ts';
import { judge } from '../rules/judge.ts';
import { prepareReleases } from '../rules/release-set.ts';
import { SupportLines } from '../support/support-lines.ts';
import { type ManagedService, managedResources, resourceOf } from './managed-services.ts';

const hcl = (type: string, attributes: string) => `resource "${type}" "x" {\n${attributes}\n}\n`;

describe('a managed service in Terraform', () => {
  test.each([
    ['aws_db_instance', 'engine = "postgres"\nengine_version = "14"', 'amazon-rds-postgresql 14'],
    ['aws_db_instance', 'engine = "mysql"\nengine_version = "8.0.35"', 'amazon-rds-mysql 8.0.35'],
    ['aws_db_instance', 'engine = "mariadb"\nengine_version = "10.11"', 'amazon-rds-mariadb 10.11'],
    [
      'aws_rds_cluster',
      'engine = "aurora-postgresql"\nengine_version = "15.4"',
      'amazon-aurora-postgresql 15.4',
    ],
    ['aws_db_instance', 'engine = "oracle-se2"\nengine_version = "19.0.0.0"', 'oracle-database 19.0.0.0'],
    ['aws_docdb_cluster', 'engine_version = "5.0.0"', 'amazon-documentdb 5.0.0'],
    ['aws_neptune_cluster', 'engine_version = "1.2.0.2"', 'amazon-neptune 1.2.0.2'],
    ['aws_elasticache_replication_group', 'engine_version = "7.1"', 'amazon-elasticache-redis 7.1'],
    ['aws_elasticache_cluster', 'engine = "memcached"\nengine_version = "1.6.17"', 'memcached 1.6.17'],
    ['aws_elasticache_replication_group', 'engine = "valkey"\nengine_version = "8.0"', 'valkey 8.0'],
    ['aws_opensearch_domain', 'engine_version = "OpenSearch_2.11"', 'amazon-opensearch 2.11'],
    ['aws_eks_cluster', 'version = "1.31"', 'amazon-eks 1.31'],
    ['aws_eks_node_group', 'version = 1.30', 'amazon-eks 1.30'],
    ['aws_msk_cluster', 'kafka_version = "3.7.x"', 'amazon-msk 3.7'],
    ['aws_msk_cluster', 'kafka_version = "2.8.2.tiered"', 'amazon-msk 2.8.2'],
    ['aws_mq_broker', 'engine_type = "RabbitMQ"\nengine_version = "3.13"', 'amazon-mq-rabbitmq 3.13'],
    ['aws_lambda_function', 'runtime = "nodejs18.x"', 'aws-lambda nodejs18.x'],
    ['aws_lambda_function', 'runtime = "provided"', 'aws-lambda provided'],
    ['aws_glue_job', 'glue_version = "4.0"', 'amazon-glue 4.0'],
    [
      'google_container_cluster',
      'min_master_version = "1.27.3-gke.100"',
      'google-kubernetes-engine 1.27.3-gke.100',
    ],
    ['google_sql_database_instance', 'database_version = "POSTGRES_15"', 'postgresql 15'],
    ['google_sql_database_instance', 'database_version = "MYSQL_8_0_31"', 'mysql 8.0.31'],
    ['google_redis_instance', 'redis_version = "REDIS_7_2"', 'redis 7.2'],
    ['azurerm_kubernetes_cluster', 'kubernetes_version = "1.29.2"', 'azure-kubernetes-service 1.29.2'],
    [
      'azurerm_kubernetes_cluster',
      'default_node_pool {\n  orchestrator_version = "1.28"\n}',
      'azure-kubernetes-service 1.28',
    ],
    ['azurerm_postgresql_flexible_server', 'version = "16"', 'azure-database-for-postgresql 16'],
    ['azurerm_redis_cache', 'redis_version = 6', 'redis 6'],
  ])('has the product and the version of %s with %s', (type, attributes, expected) => {
    expect(describeItems({ 'main.tf': hcl(type, attributes) })).toEqual([expected]);
  });

  test.each([
    // The data about the successor of a service doesn't apply to the versions of the service.
    ['aws_elasticsearch_domain', 'elasticsearch_version = "7.10"', 'amazon-elasticsearch 7.10'],
    ['aws_opensearch_domain', 'engine_version = "Elasticsearch_7.10"', 'amazon-elasticsearch 7.10'],
    [
      'aws_rds_cluster',
      'engine = "aurora-mysql"\nengine_version = "8.0.mysql_aurora.3.05.2"',
      'amazon-aurora-mysql 8.0.mysql_aurora.3.05.2',
    ],
    // The version doesn't include the service pack, which determines the end of support.
    [
      'aws_db_instance',
      'engine = "sqlserver-ex"\nengine_version = "13.00.6300.2.v1"',
      'amazon-rds-sqlserver 13.00.6300.2.v1',
    ],
    ['aws_db_instance', 'engine = "new-db"\nengine_version = "1.0"', 'aws-db-instance-new-db 1.0'],
  ])("isn't guessed if no product fits %s with %s", (type, attributes, expected) => {
    expect(describeItems({ 'main.tf': hcl(type, attributes) })).toEqual([`${expected} (no_lifecycle)`]);
  });

  test.each([
    ['version = "latest"', 'amazon-eks latest (floating)'],
    ['version = var.unknown', 'amazon-eks ${var.unknown} (templated)'],
    ['version = "~> 1.30"', 'amazon-eks ~> 1.30 (range)'],
  ])("has the reason why %s isn't a version", (attributes, expected) => {
    expect(describeItems({ 'main.tf': hcl('aws_eks_cluster', attributes) })).toEqual([expected]);
  });

  test('gets its version from variables and local values, and is listed once', () => {
    const files = {
      'main.tf': `variable "engine" { default = "aurora-postgresql" }
variable "db_version" { default = "15.3" }
locals {
  db = { engine = "mariadb", engine_version = "10.11" }
}
${hcl('aws_rds_cluster', 'engine = var.engine\nengine_version = var.db_version')}
resource "aws_db_instance" "y" {
  engine         = local.db.engine
  engine_version = local.db.engine_version
}
`,
      'terraform.tfvars': 'db_version = "16.1"\n',
    };
    const { items } = discoverFiles(files);
    expect(items.map(({ artifact, version, note }) => [artifact.name, version, note])).toEqual([
      ['amazon-aurora-postgresql', '16.1', 'default value of ${var.engine}'],
      ['amazon-rds-mariadb', '10.11', 'value of ${local.db.engine_version}'],
    ]);
  });

  test('has its own item in a variable file that Terraform does not load, even if a resource uses the default of the variable', () => {
    const main = `variable "db" { default = { engine = "postgres", engine_version = "13" } }
resource "aws_db_instance" "x" {
  engine         = var.db.engine
  engine_version = var.db.engine_version
}
`;
    const values = 'db = { engine = "postgres", engine_version = "16" }\n';
    expect(describeItems({ 'main.tf': main, 'prod.tfvars': values })).toEqual([
      'amazon-rds-postgresql 13',
      'amazon-rds-postgresql 16',
    ]);
    for (const name of ['terraform.tfvars', 'prod.auto.tfvars'])
      expect(describeItems({ 'main.tf': main, [name]: values })).toEqual(['amazon-rds-postgresql 16']);
  });

  test('has an item with the reason if its version comes from a data source', () => {
    const version = 'engine = "postgres"\nengine_version = data.aws_rds_engine_version.pg.version';
    expect(describeItems({ 'main.tf': hcl('aws_db_instance', version) })).toEqual([
      'amazon-rds-postgresql ${data.aws_rds_engine_version.pg.version} (templated)',
    ]);
  });

  test('is not listed separately if it refers to the version of another service', () => {
    const text = `${hcl('aws_eks_cluster', 'version = "1.31"')}resource "aws_eks_node_group" "n" {\n  version = aws_eks_cluster.x.version\n}\n`;
    expect(describeItems({ 'main.tf': text })).toEqual(['amazon-eks 1.31']);
  });

  test('is certain in a resource, and likely if only its software or the names of values identify it', () => {
    const confidenceOf = (file: string, text: string) =>
      discoverFiles({ [file]: text }).items.map(({ proposal }) => [
        proposal?.source_type,
        proposal?.confidence,
      ]);
    expect(confidenceOf('a.tf', hcl('aws_eks_cluster', 'version = "1.31"'))).toEqual([
      ['lifecycle', 'certain'],
    ]);
    const cloudSql = hcl('google_sql_database_instance', 'database_version = "POSTGRES_15"');
    expect(confidenceOf('a.tf', cloudSql)).toEqual([['lifecycle', 'likely']]);
    const map = 'databases = {\n  chat = { engine = "postgres", engine_version = "16" }\n}\n';
    expect(confidenceOf('prod.tfvars', map)).toEqual([['lifecycle', 'likely']]);
  });

  test('keeps its identity when its version changes', () => {
    const keysOf = (version: string) =>
      discoverFiles({ 'a.tf': hcl('aws_eks_cluster', `version = "${version}"`) }).items.map(({ key }) => key);
    expect(keysOf('1.30')).toEqual(keysOf('1.31'));
  });

  test('is listed without a source if it is an add-on of EKS', () => {
    const addons =
      'cluster_addons = {\n  coredns = { addon_version = "v1.11.1-eksbuild.4" }\n  vpc-cni = { most_recent = true }\n}\n';
    const forms: readonly Record<string, string>[] = [
      {
        'a.tf':
          'resource "aws_eks_addon" "a" {\n  addon_name = "coredns"\n  addon_version = "v1.11.1-eksbuild.4"\n}\n',
      },
      { 'a.tf': `module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n${addons}}\n` },
      { 'prod.tfvars': addons },
      { 'terraform.tfvars': addons },
      {
        'stack.yaml':
          'Resources:\n  A: { Type: AWS::EKS::Addon, Properties: { AddonName: coredns, AddonVersion: v1.11.1-eksbuild.4 } }\n',
      },
    ];
    for (const files of forms)
      expect(discoverFiles(files).items.filter(({ artifact }) => artifact.kind === 'service')).toMatchObject([
        {
          artifact: { name: 'aws-eks-addon-coredns' },
          version: 'v1.11.1-eksbuild.4',
          version_state: 'exact',
          reason: 'no_lifecycle',
          proposal: null,
        },
      ]);
    expect(
      discoverFiles({ 'terraform.tfvars': 'other = {\n  web = { addon_version = "1.2.3" }\n}\n' }).items,
    ).toEqual([]);
  });

  test('has no version if an expression decides it', () => {
    const text =
      'resource "aws_db_instance" "a" {\n  engine = "mysql"\n  engine_version = var.is_new ? "8.0" : "5.7"\n}\n';
    const { items } = discoverFiles({ 'main.tf': text });
    expect(items).toMatchObject([{ version: null, version_state: 'templated', reason: 'templated' }]);
  });
});

describe('the arguments of a module', () => {
  const moduleOf = (source: string, attributes: string) =>
    `module "m" {\n  source = "${source}"\n${attributes}\n}\n`;
  const servicesOf = (files: Readonly<Record<string, string>>) =>
    discoverFiles(files)
      .items.filter(({ artifact }) => artifact.kind === 'service')
      .map(({ proposal, version }) => `${proposal?.artifact_name} ${version} ${proposal?.confidence}`);

  test.each([
    ['terraform-aws-modules/eks/aws', 'cluster_version = "1.30"', ['amazon-eks 1.30 certain']],
    ['terraform-aws-modules/eks/aws', 'kubernetes_version = "1.33"', ['amazon-eks 1.33 certain']],
    ['acme/azure-k8s-cluster/azurerm', 'k8s_version = "1.30"', ['azure-kubernetes-service 1.30 likely']],
    [
      'terraform-aws-modules/eks/aws',
      'eks_managed_node_groups = {\n  one = { kubernetes_version = "1.29" }\n}',
      ['amazon-eks 1.29 certain'],
    ],
    [
      'terraform-aws-modules/rds/aws',
      'engine = "mysql"\nengine_version = "8.0"',
      ['amazon-rds-mysql 8.0 certain'],
    ],
    [
      'terraform-aws-modules/elasticache/aws',
      'engine_version = "7.1"',
      ['amazon-elasticache-redis 7.1 certain'],
    ],
    [
      'terraform-aws-modules/rds/aws',
      'engine = "postgres"\nfamily = "postgres16"\nmajor_engine_version = "16"\nengine_version = "16.3"',
      ['amazon-rds-postgresql 16.3 certain'],
    ],
    [
      'terraform-aws-modules/rds/aws',
      'family = "postgres16"\nmajor_engine_version = "16"',
      ['amazon-rds-postgresql 16 certain'],
    ],
    ['terraform-aws-modules/lambda/aws', 'runtime = "python3.8"', ['aws-lambda python3.8 certain']],
    [
      'terraform-google-modules/sql-db/google//modules/postgresql',
      'database_version = "POSTGRES_14"',
      ['postgresql 14 likely'],
    ],
    ['Azure/aks/azurerm', 'kubernetes_version = "1.28"', ['azure-kubernetes-service 1.28 certain']],
    [
      'github.com/ministryofjustice/cloud-platform-terraform-rds-instance?ref=9.1.0',
      'db_engine = "postgres"\ndb_engine_version = "16.8"',
      ['amazon-rds-postgresql 16.8 likely'],
    ],
    [
      'github.com/ministryofjustice/cloud-platform-terraform-rds-instance?ref=9.1.0',
      'db_engine_version = "14"\nrds_family = "postgres14"',
      ['amazon-rds-postgresql 14 likely'],
    ],
    [
      'github.com/ministryofjustice/cloud-platform-terraform-elasticache-cluster?ref=8.0.0',
      'engine_version = "7.0"\nparameter_group_name = "default.redis7"',
      ['amazon-elasticache-redis 7.0 likely'],
    ],
    [
      'github.com/ministryofjustice/cloud-platform-terraform-opensearch?ref=1.7.2',
      'engine_version = "OpenSearch_2.11"',
      ['amazon-opensearch 2.11 likely'],
    ],
    ['aws-ia/eks-blueprints-addons/aws', 'cluster_version = module.eks.cluster_version', []],
    ['./modules/app', 'engine_version = "1.2.3"', []],
    ['./modules/leeks', 'cluster_version = "1.2.3"', []],
  ])('of %s with %s identify the service', (source, attributes, expected) => {
    expect(servicesOf({ 'main.tf': moduleOf(source, attributes) })).toEqual(expected);
  });

  test('identify the service when they are Terragrunt inputs', () => {
    const text = `locals { v = "13.4" }
terraform {
  source = "tfr:///terraform-aws-modules/rds/aws?version=6.1.0"
}
inputs = {
  engine         = "postgres"
  engine_version = local.v
}
`;
    expect(servicesOf({ 'db/terragrunt.hcl': text })).toEqual(['amazon-rds-postgresql 13.4 certain']);
  });
});

describe('a managed service in CloudFormation', () => {
  test('has the default of a parameter as its version, and a reason if a function sets the version', () => {
    const text = `Parameters:
  DbVersion: { Type: String, Default: "14.7" }
Resources:
  Db:
    Type: AWS::RDS::DBInstance
    Properties:
      Engine: postgres
      EngineVersion: !Ref DbVersion
  Other:
    Type: AWS::RDS::DBInstance
    Properties:
      Engine: mysql
      EngineVersion: !FindInMap [A, B, C]
  Eks:
    Type: AWS::EKS::Cluster
    Properties: { Version: "1.28" }
`;
    expect(describeItems({ 'stack.yaml': text })).toEqual([
      'amazon-rds-postgresql 14.7',
      'amazon-rds-mysql - (templated)',
      'amazon-eks 1.28',
    ]);
  });

  test('gets its version from a mapping if the keys are known or all keys have the same value', () => {
    const versionOf = (value: string) =>
      discoverFiles({
        'stack.yaml': `Parameters:
  Env: { Type: String, Default: prod }
  Ami: { Type: "AWS::SSM::Parameter::Value<String>", Default: prod }
Mappings:
  Versions:
    prod: { Postgres: "15.4", Any: "13.9" }
    dev: { Postgres: "16.1", Any: "13.9", Only: "12.1" }
Resources:
  Db:
    Type: AWS::RDS::DBInstance
    Properties:
      Engine: postgres
      EngineVersion: ${value}
`,
      }).items.map(({ version, note }) => [version, note])[0];
    const known = ['15.4', 'from the mapping Versions'];
    const byDefault = ['15.4', 'from the mapping Versions with the default value of ${Env}'];
    expect(versionOf('!FindInMap [Versions, prod, Postgres]')).toEqual(known);
    expect(versionOf('{ "Fn::FindInMap": [Versions, prod, Postgres] }')).toEqual(known);
    expect(versionOf('!FindInMap [Versions, !Ref Env, Postgres]')).toEqual(byDefault);
    expect(versionOf('{ "Fn::FindInMap": [Versions, { Ref: Env }, Postgres] }')).toEqual(byDefault);
    expect(versionOf('!FindInMap [Versions, !Ref AWS::Region, Any]')).toEqual([
      '13.9',
      'from the mapping Versions',
    ]);
    expect(versionOf('!FindInMap [Versions, prod, None, { DefaultValue: "11.2" }]')).toEqual([
      '11.2',
      'from the mapping Versions',
    ]);
    for (const unknown of [
      '!FindInMap [Versions, !Ref AWS::Region, Postgres]',
      '!FindInMap [Versions, !Ref Ami, Postgres]',
      '!FindInMap [Versions, !Ref AWS::Region, Only]',
      '!FindInMap [Versions, prod, None]',
      '!FindInMap [Versions, qa, Postgres]',
      '!FindInMap [Other, prod, Postgres]',
      '{ "Fn::FindInMap": [Versions, { "Fn::Select": [0, [prod]] }, Postgres] }',
      '{ "Fn::FindInMap": [] }',
      '{ "Fn::FindInMap": Versions }',
    ])
      expect([unknown, versionOf(unknown)]).toEqual([unknown, [null, null]]);
  });

  test('has a note if its version is a default, and never has the name of a parameter or export as its version', () => {
    const text = `Parameters:
  V: { Type: String, Default: "1.27" }
  Path: { Type: "AWS::SSM::Parameter::Value<String>", Default: /eks/version }
Resources:
  A: { Type: AWS::EKS::Cluster, Properties: { Version: !Ref V } }
  B: { Type: AWS::EKS::Cluster, Properties: { Version: !Ref Path } }
  C: { Type: AWS::EKS::Cluster, Properties: { Version: !ImportValue eks-version } }
  D: { Type: AWS::Lambda::Function, Properties: { Runtime: !ImportValue runtime } }
  E: { Type: AWS::Lambda::Function, Properties: { Runtime: provided.al2023 } }
  F: { Type: AWS::Lambda::Function, Properties: { Runtime: java8.al2 } }
  G: { Type: AWS::OpenSearchService::Domain, Properties: { EngineVersion: OpenSearch_2.11 } }
`;
    const { items } = discoverFiles({ 'stack.yaml': text });
    expect(items.map(({ version, note, reason }) => [version, note, reason])).toEqual([
      ['1.27', 'default value of ${V}', null],
      [null, null, 'templated'],
      [null, null, 'templated'],
      [null, null, 'templated'],
      ['provided.al2023', null, null],
      ['java8.al2', null, null],
      ['2.11', 'written as OpenSearch_2.11', null],
    ]);
  });

  test('is read from JSON templates, with its line', () => {
    const text = `{
  "Parameters": { "V": { "Default": "1.27" } },
  "Resources": {
    "Eks": {
      "Type": "AWS::EKS::Cluster",
      "Properties": {
        "Version": { "Ref": "V" }
      }
    }
  }
}
`;
    const { items } = discoverFiles({ 'cloudformation/eks.json': text, 'app.json': text });
    expect(items.map(({ place, version }) => `${place.file}:${place.line} ${version}`)).toEqual([
      'cloudformation/eks.json:7 1.27',
    ]);
    // Files in the `templates` directory of a chart are Helm templates, not CloudFormation templates.
    const chart = {
      'web/Chart.yaml': 'name: web\nversion: 1.0.0\n',
      'web/templates/a.json': '{"image": "a/b:1.0"}',
    };
    expect(describeItems(chart)).toEqual([]);
    const other = discoverFiles({
      'templates/broken.json': '{ "a": ',
      'stacks/image.json': '{"image": "a/b:1.0"}',
    });
    expect(other).toEqual({ items: [], problems: [] });
  });

  test('gets its runtime from SAM globals or the Serverless Framework', () => {
    const sam = `Globals:
  Function: { Runtime: python3.9 }
Resources:
  Fn: { Type: AWS::Serverless::Function, Properties: { Handler: x } }
`;
    const serverless = `service: shop
provider: { name: aws, runtime: nodejs16.x }
functions:
  a: { handler: x }
  b: { handler: x, runtime: python3.11 }
`;
    expect(describeItems({ 'template.yaml': sam })).toEqual(['aws-lambda python3.9']);
    expect(describeItems({ 'serverless.yml': serverless })).toEqual([
      'aws-lambda nodejs16.x',
      'aws-lambda python3.11',
    ]);
    expect(describeItems({ 'serverless.yml': serverless.replace('aws', 'google') })).toEqual([]);
    const short = 'service: shop\nprovider: google\nfunctions:\n  a: { runtime: nodejs20 }\n';
    expect(describeItems({ 'serverless.yml': short })).toEqual([]);
    expect(describeItems({ 'serverless.yml': short.replace('google', 'aws') })).toEqual([
      'aws-lambda nodejs20',
    ]);
  });
});

test.each([
  [
    'rds.aws.upbound.io/v1beta1',
    'Instance',
    'forProvider: { engine: postgres, engineVersion: "14" }',
    'amazon-rds-postgresql 14',
  ],
  [
    'rds.aws.m.upbound.io/v1beta1',
    'Cluster',
    'forProvider: { engine: aurora-postgresql, engineVersion: "15.4" }',
    'amazon-aurora-postgresql 15.4',
  ],
  [
    'database.aws.crossplane.io/v1beta1',
    'RDSInstance',
    'forProvider: { engine: mysql, engineVersion: "8.0" }',
    'amazon-rds-mysql 8.0',
  ],
  ['eks.aws.upbound.io/v1beta1', 'Cluster', 'forProvider: { version: "1.31" }', 'amazon-eks 1.31'],
  ['eks.services.k8s.aws/v1alpha1', 'Cluster', 'version: "1.29"', 'amazon-eks 1.29'],
  ['sql.cnrm.cloud.google.com/v1beta1', 'SQLInstance', 'databaseVersion: POSTGRES_15', 'postgresql 15'],
  [
    'containerservice.azure.upbound.io/v1beta1',
    'KubernetesCluster',
    'forProvider: { kubernetesVersion: "1.30" }',
    'azure-kubernetes-service 1.30',
  ],
])('an object of %s with the kind %s is a managed service', (apiVersion, kind, spec, expected) => {
  const text = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: x }\nspec:\n  ${spec}\n`;
  expect(describeItems({ 'x.yaml': text })).toEqual([expected]);
});

test.each([
  ['tfvars', 'all.tfvars', (at: number) => `x${at}_engine_version = "1"\n`, ''],
  [
    'CloudFormation',
    'cfn/all.json',
    (at: number) =>
      `${at === 0 ? '' : ','}"R${at}":{"Type":"AWS::EKS::Cluster","Properties":{"Version":"1.${at}"}}`,
    '{"Resources":{',
  ],
  [
    'CloudFormation in YAML',
    'stack.yaml',
    (at: number) => `  R${at}: {Type: "AWS::EKS::Cluster", Properties: {Version: !Ref P${at}}}\n`,
    'Resources:\n',
  ],
])('4,000 values of %s are read within ten seconds of processor time', (_, path, write, start) => {
  const text =
    start +
    Array.from({ length: 4_000 }, (_value, at) => write(at)).join('') +
    (start.startsWith('{') ? '}}' : '');
  const before = process.threadCpuUsage();
  discoverFiles({ [path]: text });
  expect(process.threadCpuUsage(before).user).toBeLessThan(10_000_000);
});

/** Returns the products in the table of managed services. */
function productsOf(): string[] {
  const services = Object.keys(managedResources).flatMap((id): ManagedService[] => {
    const { service } = resourceOf(id as keyof typeof managedResources);
    return 'name' in service ? [service] : [...service.values()];
  });
  return [...new Set(services.flatMap(({ product }) => product ?? []))];
}

describe.skipIf(!hasTestData)('the products of managed services', () => {
  const real = hasTestData ? readRealProducts() : [];

  test('exist in the reference data', () => {
    const names = new Set(real.map(({ product }) => product));
    expect(productsOf().filter((name) => !names.has(name))).toEqual([]);
  });

  test('have an end-of-life date for each of their version lines, even without releases', () => {
    const releases = prepareReleases('auto', []);
    const unknown = real
      .filter(({ product }) => productsOf().includes(product))
      .flatMap(({ product, releases: cycles }) => {
        const lines = new SupportLines(
          cycles.map(({ releaseCycle }) => ({
            name: releaseCycle,
            isLts: false,
            releasedOn: null,
            latest: null,
            ends: { active_support: null, end_of_life: '2030-01-01', extended_support: null },
          })),
        );
        return cycles.flatMap(({ releaseCycle }) => {
          const verdict = judge({
            rule: {
              type: 'end_of_life',
              thresholds: { high: 0 },
              stableOnly: false,
              daysBasis: null,
              minReleaseAgeDays: 0,
            },
            options: { candidatePattern: null, ignoredVersions: [], countedVersions: [] },
            deployedVersion: releaseCycle,
            releases,
            hasReleases: false,
            support: {
              product,
              label: product,
              lines,
              applicationVersions: null,
              paidUntil: null,
              validUntilMs: null,
            },
            nowMs: Date.UTC(2026, 0, 1),
          });
          return verdict.state === 'ok' && verdict.endsAtMs === Date.UTC(2030, 0, 2)
            ? []
            : [`${product} ${releaseCycle}: ${verdict.stateReason}`];
        });
      });
    expect(unknown).toEqual([]);
  });
});
