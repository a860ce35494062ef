import { describe, expect, test } from 'vitest';
import { describeItems, discoverFiles } from '../../../../tests/helpers/discover-files.ts';
import { knownSources } from '../../catalog/catalog.ts';

/**
 * Returns the items of a single file, each with its line. Repositories on GitHub are listed without their
 * host.
 */
function linesOf(path: string, text: string, others: Readonly<Record<string, string>> = {}): string[] {
  return discoverFiles({ [path]: text, ...others }, { known: knownSources }).items.map(
    ({ place, artifact, version, reason }) =>
      `${place.line} ${artifact.name} ${version ?? '-'}${reason === null ? '' : ` (${reason})`}`,
  );
}

const release = 'https://github.com/acme/tool/releases/download';

describe('a command that downloads software', () => {
  test.each([
    ['values.yaml', `init:\n  command: |\n    wget ${release}/v1.2.3/tool\n`, ['3 acme/tool v1.2.3']],
    ['cloud-init.tftpl', `runcmd:\n  - wget "${release}/v1.2.3/tool"\n`, ['2 acme/tool v1.2.3']],
    ['user-data.yaml.j2', `runcmd:\n  - wget ${release}/v8/tool\n`, ['2 acme/tool v8 (floating)']],
    ['values.yaml', `a: |\n  # curl ${release}/v1.2.3/tool\n  curl ${release}/$TAG/tool\n`, []],
    ['README.md', `curl ${release}/v1.2.3/tool\n`, []],
    [
      '.gitlab-ci.yml',
      `a:\n  stage: b\n  script:\n    - wget ${release}/v1.2.3/tool\n`,
      ['4 acme/tool v1.2.3'],
    ],
    [
      '.github/workflows/a.yml',
      `jobs:\n  a:\n    env:\n      TOOL_TAG: v1.2.3\n    steps:\n      - run: wget ${release}/$TOOL_TAG/tool\n`,
      ['4 acme/tool v1.2.3'],
    ],
    [
      '.github/workflows/a.yml',
      `jobs:\n  a:\n    steps:\n      - run: |\n          TAG=v1.2.3\n          wget ${release}/${'${TAG}'}/tool\n`,
      ['5 acme/tool v1.2.3'],
    ],
    ['user_data.sh', `#!/bin/sh\ncurl -LO ${release}/v1.2.3/tool\n`, ['2 acme/tool v1.2.3']],
    [
      'main.tf',
      `resource "aws_instance" "web" {\n  user_data = <<-EOF\n    wget ${release}/v1.2.3/tool\n  EOF\n}\n`,
      ['3 acme/tool v1.2.3'],
    ],
    [
      'values.yaml',
      'a: |\n  wget https://git.acme.example/acme/tool/releases/download/1.2.3/tool\n',
      ['2 git.acme.example/acme/tool 1.2.3'],
    ],
    [
      'values.yaml',
      'a: |\n  wget https://gitlab.com/acme/sub/tool/-/releases/v1.2.3/downloads/tool\n',
      ['2 gitlab.com/acme/sub/tool v1.2.3'],
    ],
  ])('is read from %s: %#', (path, text, expected) => {
    expect(linesOf(path, text)).toEqual(expected);
  });

  test.each([
    ['install.sh', `curl -LO "${release}/v1.2.3/tool"\n`, ['1 acme/tool v1.2.3']],
    ['install.sh', `V=v1.2.3\ncurl -LO ${release}/"$V"/tool\n`, ['1 acme/tool v1.2.3']],
    ['Makefile', `V ?= v1.2.3\na:\n\tcurl ${release}/$(V)/tool\n`, ['1 acme/tool v1.2.3']],
    ['justfile', `v := "v1.2.3"\na:\n  curl ${release}/{{ v }}/tool\n`, ['1 acme/tool v1.2.3']],
    [
      'Taskfile.yml',
      `vars:\n  V: v1.2.3\ntasks:\n  a: curl ${release}/{{.V}}/tool\n`,
      ['2 acme/tool v1.2.3'],
    ],
    ['install.sh', `V=\${A:-"v1.2.3"}\ncurl -LO ${release}/$V/tool\n`, ['1 acme/tool v1.2.3']],
    ['install.sh', `: "\${V:=v1.2.3}"\ncurl -LO ${release}/$V/tool\n`, ['1 acme/tool v1.2.3']],
    ['install.sh', `V=v1.2.3\nF="tool-$V-linux"\ncurl -LO ${release}/$V/$F\n`, ['1 acme/tool v1.2.3']],
    ['uninstall.sh', `kubectl -n a delete -f ${release}/v1.2.3/tool.yaml\n`, []],
    ['install.sh', `curl -LO ${release}/$V/tool\nV=v1.2.3\n`, []],
    ['install.sh', `V=v1.2.3\n[ "$A" ] &&\nV=v1.2.4\ncurl -LO ${release}/$V/tool\n`, []],
    ['install.sh', `V=$(latest)\nV=v1.2.4\ncurl -LO ${release}/$V/tool\n`, []],
  ])('is read from the script %s: %#', (path, text, expected) => {
    expect(linesOf(path, text)).toEqual(expected);
  });
});

describe('a command that deploys', () => {
  const jetstack = 'helm repo add jetstack https://charts.jetstack.io';
  const certManager = 'charts.jetstack.io/cert-manager 1.12.0';

  test.each([
    [`${jetstack}\nhelm upgrade --install cm jetstack/cert-manager --version 1.12.0`, [certManager]],
    [
      `${jetstack} --force-update\nsudo helm -n cm install cm 'jetstack/cert-manager' \\\n  --wait --version="1.12.0" -f a.yaml`,
      [certManager],
    ],
    ['helm upgrade -i cm cert-manager --repo https://charts.jetstack.io --version 1.12.0', [certManager]],
    [
      'helm upgrade --install cm oci://quay.io/jetstack/charts/cert-manager --version v1.12.0 && helm list',
      ['quay.io/jetstack/charts/cert-manager v1.12.0'],
    ],
    [
      'V=1.12.0\nhelm upgrade cm cert-manager --version "$V" --repo https://charts.jetstack.io $ARGS',
      [certManager],
    ],
    [
      'helm upgrade --install cm https://charts.jetstack.io/cert-manager-v1.12.0.tgz',
      ['charts.jetstack.io/cert-manager v1.12.0'],
    ],
    ['helm upgrade --install cm jetstack/cert-manager --version 1.12.0', ['cert-manager 1.12.0 (no_source)']],
    [`${jetstack} || true\nhelm install --name cm --version 1.12.0 jetstack/cert-manager`, [certManager]],
    [
      `${jetstack}\n# helm install cm jetstack/cert-manager \\\nhelm install cm jetstack/cert-manager --version 1.12.0`,
      [certManager],
    ],
    [
      `${jetstack}\nhelm repo add jetstack https://charts.acme.dev\nhelm install cm jetstack/cert-manager --version 1.12.0`,
      ['cert-manager 1.12.0 (no_source)'],
    ],
    ['kubectl apply -k "https://github.com/acme/crds//config?ref=v1.2.3"', ['github.com/acme/crds v1.2.3']],
    [
      'kubectl -n a apply --kustomize=github.com/acme/crds/config?ref=v1.2.3',
      ['github.com/acme/crds v1.2.3'],
    ],
    ['kustomize build github.com/acme/crds?ref=v1.2.3 | kubectl apply -f -', ['github.com/acme/crds v1.2.3']],
    [
      'V=v1.2.3\nkubectl apply -f https://github.com/acme/tool/releases/download/${V}/tool.yaml',
      ['github.com/acme/tool v1.2.3'],
    ],
    [
      'kubectl apply -f https://gateway.acme.dev/releases/v1.2.3/install.yaml',
      ['gateway.acme.dev/releases/install.yaml v1.2.3 (no_source)'],
    ],
  ])('is read from scripts and from the steps of pipelines: %#', (command, expected) => {
    const indented = (spaces: number) => command.replaceAll('\n', `\n${' '.repeat(spaces)}`);
    const files = {
      'deploy.sh': `#!/bin/sh\n${command}\n`,
      '.github/workflows/a.yml': `jobs:\n  a:\n    steps:\n      - run: |\n          ${indented(10)}\n`,
      '.gitlab-ci.yml': `a:\n  stage: b\n  image: $IMAGE\n  script:\n    - |\n      ${indented(6)}\n`,
    };
    for (const [path, text] of Object.entries(files))
      expect(describeItems({ [path]: text }).filter((item) => !item.includes('IMAGE'))).toEqual(expected);
  });

  test.each([
    ['Makefile', 'V := 1.2.3\na:\n\t@$(HELM) upgrade --install a oci://acme.dev/b --version $(V)\n', 1],
    ['Taskfile.yml', 'tasks:\n  a:\n    cmds:\n      - helm install a oci://acme.dev/b --version 1.2.3\n', 4],
    [
      '.gitlab-ci.yml',
      'a:\n  stage: b\n  script:\n    - "helm install a oci://acme.dev/b --version 1.2.3"\n',
      4,
    ],
    [
      '.gitlab-ci.yml',
      'a:\n  stage: b\n  script:\n    - >-\n      helm install a oci://acme.dev/b\n      --wait\n      --version 1.2.3\n',
      7,
    ],
    ['deploy.sh', 'helm install a \\\n  oci://acme.dev/b \\\n  --version 1.2.3 \\\n  --wait\n', 3],
    ['roles/a/tasks/main.yml', '- command: helm upgrade a oci://acme.dev/b --version 1.2.3\n', 1],
  ])('has the line of its version: %s %#', (path, text, line) => {
    expect(linesOf(path, text)).toEqual([`${line} oci://acme.dev/b 1.2.3`]);
  });

  test.each([
    'helm upgrade --install a ./chart --version 1.2.3',
    'helm upgrade --install a charts/web',
    'helm upgrade --install a web --version 1.2.3',
    'helm upgrade --install a oci://acme.dev/b --version $V',
    'helm upgrade --install a oci://acme.dev/b --version 1.2.3 --dry-run',
    'helm upgrade --install a oci://acme.dev/b \\\n  --wait \\\n  # --version 1.2.3',
    'helm template a oci://acme.dev/b --version 1.2.3',
    'helm upgrade --install $CHART --version 1.2.3',
    'echo "helm upgrade --install a oci://acme.dev/b --version 1.2.3"',
    'echo helm upgrade --install a oci://acme.dev/b --version 1.2.3',
    '# helm upgrade --install a oci://acme.dev/b --version 1.2.3',
    'kubectl apply -k config/crd',
    'kubectl apply -k https://github.com/acme/crds',
    'kubectl delete -k https://github.com/acme/crds?ref=v1.2.3',
    'kubectl apply -k https://github.com/acme/crds?ref=$V',
  ])('is skipped without a fixed version of other software: %s', (command) => {
    expect(linesOf('deploy.sh', `${command}\n`)).toEqual([]);
  });

  test('has a likely source if only a helmfile declares the repository of the chart', () => {
    const { items } = discoverFiles({
      'deploy.sh': 'helm install cm jetstack/cert-manager --version 1.12.0\n',
      'helmfile.yaml':
        'repositories:\n  - { name: jetstack, url: https://charts.jetstack.io }\nreleases: []\n',
    });
    expect(items).toMatchObject([
      { proposal: { artifact_name: 'charts.jetstack.io/cert-manager', confidence: 'likely' } },
    ]);
  });

  test.each([
    ['deploy.sh', 'helm repo add a https://u:hunter2@acme.dev/a\nhelm upgrade -i x a/b --version 1.2.3\n'],
    ['deploy.sh', 'helm upgrade -i x b --repo https://u:hunter2@acme.dev --version 1.2.3\n'],
    ['deploy.sh', 'helm upgrade -i x b --repo https://u:p@hunter2@acme.dev --version 1.2.3\n'],
    ['deploy.sh', 'helm upgrade -i x https://u:hunter2@acme.dev/b-1.2.3.tgz\n'],
    ['deploy.sh', 'kubectl apply -k https://u:hunter2@github.com/acme/b?ref=v1.2.3\n'],
    [
      'helmfile.yaml',
      'repositories:\n  - { name: a, url: "https://u:hunter2@acme.dev" }\nreleases:\n  - { name: x, chart: a/b, version: 1.2.3 }\n',
    ],
  ])('has no credentials in its source: %s %#', (path, text) => {
    const { items } = discoverFiles({ [path]: text });
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items)).not.toContain('hunter2');
  });

  test('belongs to its release', () => {
    const [item] = discoverFiles({
      'deploy.sh': 'helm install web oci://acme.dev/b --version 1.2.3 -n shop\n',
    }).items;
    expect(item).toMatchObject({ place: { namespace: 'shop', name: 'web' }, labels: { service: 'web' } });
  });
});

describe('a command that runs an image', () => {
  test.each([
    ['docker run --rm -v /a:/b ghcr.io/acme/web:1.2.3 serve', ['2 ghcr.io/acme/web 1.2.3']],
    ['docker run \\\n    --rm \\\n    quay.io/acme/web:1.2.3 \\\n    serve', ['4 quay.io/acme/web 1.2.3']],
    ['docker build -t ghcr.io/acme/web:1.2.3 .\n  docker push ghcr.io/acme/web:1.2.3', []],
    ['curl ghcr.io/acme/web:1.2.3\n  docker run -p 80:80 $IMAGE', []],
  ])('in a playbook is read: %#', (command, expected) => {
    expect(linesOf('roles/a/tasks/main.yml', `- shell: |\n  ${command}\n`)).toEqual(expected);
  });
});

describe('environment variables', () => {
  test.each([
    ['ETCD_VERSION=3.6.4\n', ['1 etcd 3.6.4']],
    ['export SCANNER_VERSION="v1.2.3"\n', ['1 scanner v1.2.3 (no_source)']],
    ['WEB_IMAGE="ghcr.io/acme/web:1.2.3"\n', ['1 ghcr.io/acme/web 1.2.3']],
    ['APP_VERSION=1.2.3\nMIN_ETCD_VERSION=3.6.4\nTLS_VERSION=1.2\nAPI_VERSION=1.2.3\nOS_VERSION=24.04\n', []],
    ['WEB_IMAGE=logo.png\nWEB_VERSION=${OTHER}\nETCD_VERSION_TOKEN=1.2.3\nWEB_IMAGE=web:local\n', []],
  ])('provide images and versions of software: %#', (text, expected) => {
    for (const path of ['.env', 'prod/versions.env']) expect(linesOf(path, text)).toEqual(expected);
    expect(linesOf('deploy.sh', text)).toEqual([]);
  });

  test.each([
    [
      'STEP_VERSION=0.25.0\ncurl -LO https://dl.acme.dev/step-cli_${STEP_VERSION}.deb\n',
      ['1 step 0.25.0 (no_source)'],
    ],
    ['export HELM_VERSION="3.14.0"\n\nasdf install helm $HELM_VERSION\n', ['1 helm 3.14.0']],
    [
      'HELM_VERSION="3.14.0"\nwget https://get.helm.sh/helm-v"${HELM_VERSION}"-linux-amd64.tar.gz\n',
      ['1 helm v3.14.0'],
    ],
    ['HELM_VERSION=3.14.0\necho "installing helm $HELM_VERSION"\n', []],
    ['HELM_VERSION=3.14.0\n./install "$HELM_VERSION"\n', []],
    ['WEB_VERSION=3.14.0\ndocker build -t ghcr.io/acme/web:$WEB_VERSION .\n', []],
    ['WEB_VERSION=3.14.0\ncurl -T web-$WEB_VERSION.tgz https://files.acme.dev/web/\n', []],
    ['asdf install helm $HELM_VERSION\nHELM_VERSION=3.14.0\n', []],
    ['HELM_VERSION=3.14.0\nHELM_VERSION=3.15.0\nasdf install helm $HELM_VERSION\n', []],
  ])('of a script provide a version if a later command names its software: %#', (text, expected) => {
    expect(linesOf('install.sh', text)).toEqual(expected);
  });

  test.each([
    [
      '.gitlab-ci.yml',
      'variables:\n  TERRAFORM_VERSION: "1.5.7"\na:\n  script: [x]\n',
      ['2 terraform 1.5.7'],
    ],
    ['.github/workflows/a.yml', 'env:\n  NODE_VERSION: 22.1.0\n', ['2 node 22.1.0']],
    [
      '.gitlab-ci.yml',
      'variables:\n  NODE_VERSION: 22.1.0\na:\n  image: node:$NODE_VERSION\n',
      ['4 node 22.1.0'],
    ],
    ['settings.yml', 'vars:\n  K3S_VERSION: v1.31.1+k3s1\n', []],
    [
      '.github/workflows/a.yml',
      'env:\n  STEP_VERSION: 0.25.0\njobs:\n  a:\n    steps:\n      - run: curl -LO https://dl.acme.dev/step-cli_${STEP_VERSION}.deb\n',
      ['2 step 0.25.0 (no_source)'],
    ],
    ['.github/workflows/a.yml', 'env:\n  STEP_VERSION: 0.25.0\n', []],
  ])(
    'of a pipeline provide the versions of its tools, unless an image uses the variable: %s %#',
    (path, text, expected) => {
      expect(linesOf(path, text)).toEqual(expected);
    },
  );

  test("aren't repeated if a Compose file gets its image from them", () => {
    const files = {
      'compose.yaml': 'services:\n  web:\n    image: redis:${REDIS_VERSION}\n',
      '.env': 'REDIS_VERSION=7.2.1\n',
    };
    expect(describeItems(files)).toEqual(['docker.io/library/redis 7.2.1']);
  });
});

describe('an image in a text', () => {
  const values =
    'runners:\n  config: |\n    [[runners]]\n      image = "ubuntu:20.04"\n      # image = "ubuntu:22.04"\n      helper_image = "acme/helper:x86_64-v18.5.1"\n';

  test('is read from the configuration in the values of a chart', () => {
    expect(linesOf('values.yaml', values)).toEqual(['4 ubuntu 20.04', '6 acme/helper x86_64-v18.5.1']);
  });

  test('is read from an expression in an object', () => {
    const object =
      'apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: { name: a }\nspec:\n  mutations:\n    - jsonPatch:\n        expression: >\n          [Container{\n            image: "ghcr.io/acme/jitter:1.37.0",\n          }]\n';
    expect(linesOf('policy.yaml', object)).toEqual(['9 ghcr.io/acme/jitter 1.37.0']);
  });

  test.each([
    ['values.yaml', 'image: acme/web:1.0.0\ndescription: |\n  image = "acme/other:1.2.3"\n'],
    ['values.yaml', 'image: acme/web:1.0.0\nexample: |\n  image = "acme/other:1.2.3"\n'],
    ['values.yaml', 'image: acme/web:1.0.0\nconfig: |\n  image = "${NAME}:1.2.3"\n  image = "logo.png"\n'],
  ])("isn't read from a text for people or from a template: %#", (path, text) => {
    expect(linesOf(path, text)).toEqual(['1 acme/web 1.0.0']);
  });

  test("isn't repeated if the text itself is read as values", () => {
    const text = 'nested: |\n  web:\n    image: ghcr.io/acme/web:1.2.3\n';
    expect(linesOf('values.yaml', text)).toEqual(['3 ghcr.io/acme/web 1.2.3']);
  });

  test('is read from a configuration in TOML', () => {
    expect(linesOf('config.toml.j2', '[[runners]]\n  image = "registry.example.org/ci:1.2.3"\n')).toEqual([
      '2 registry.example.org/ci 1.2.3 (templated)',
    ]);
  });
});

describe('a Jenkins pipeline', () => {
  test.each([
    ["agent { docker { image 'maven:3.9.6' } }", ['maven 3.9.6']],
    ["agent { docker 'maven:3.9.6' }", ['maven 3.9.6']],
    ['docker.image("acme/web:1.2.3").inside { }', ['acme/web 1.2.3']],
    ["containerTemplate(name: 'a', image: 'acme/web:1.2.3', ttyEnabled: true)", ['acme/web 1.2.3']],
    ['    image: alpine/terragrunt:latest', ['alpine/terragrunt latest (floating)']],
    ["def image = 'acme/web:1.2.3'", ['acme/web 1.2.3']],
    ['docker.image("${NAME}:${TAG}")\n// docker.image("acme/web:1.2.3")\ndocker.build("acme/web:1.2.3")', []],
    ["echo 'no image here'", []],
  ])('yields the images of %s', (text, expected) => {
    const items = linesOf('ci/Jenkinsfile', `pipeline {\n${text}\n}\n`);
    expect(items.map((line) => line.replace(/^\d+ /, ''))).toEqual(expected);
  });
});

describe('a Quadlet unit', () => {
  const unit = '[Container]\nImage=docker.io/acme/web:${TAG}\n[Service]\n';

  test('uses the variables of its service section', () => {
    expect(linesOf('web.container', `${unit}Environment="TAG=1.2.3"\n`)).toEqual([
      '2 docker.io/acme/web 1.2.3',
    ]);
    expect(linesOf('web.container', unit)).toEqual(['2 docker.io/acme/web ${TAG} (templated)']);
  });

  test.each([
    ['web.env', ['1 docker.io/acme/web 1.2.3']],
    ['env/web.env', ['1 docker.io/acme/web 1.2.3']],
    ['env/other.env', ['2 docker.io/acme/web ${TAG} (templated)']],
  ])('uses the variables of the environment file that it references: %s', (path, expected) => {
    const text = `${unit}EnvironmentFile=-%h/.config/web.env\n`;
    expect(linesOf('web.container', text, { [path]: 'TAG=1.2.3\n' })).toEqual(expected);
  });
});

test('the versions of Terraform in an Atlantis configuration are read', () => {
  const text =
    'version: 3\nprojects:\n  - dir: a\n    terraform_version: 1.5.7\n  - dir: b\n    terraform_distribution: opentofu\n    terraform_version: v1.8.0\n  - dir: c\n';
  expect(linesOf('atlantis.yaml', text)).toEqual(['4 terraform 1.5.7', '7 opentofu v1.8.0']);
});

test('the versions of plugins in a TFLint configuration are read', () => {
  const text =
    'plugin "aws" {\n  enabled = true\n  version = "0.30.0"\n  source = "github.com/terraform-linters/tflint-ruleset-aws"\n}\nplugin "terraform" { enabled = true }\n';
  expect(linesOf('.tflint.hcl', text)).toEqual(['3 terraform-linters/tflint-ruleset-aws 0.30.0']);
});

describe('a value in Terraform', () => {
  test.each([
    [
      'variables.tf',
      'variable "web_image" {\n  default = "ghcr.io/acme/web:1.2.3"\n}\n',
      ['2 ghcr.io/acme/web 1.2.3'],
    ],
    [
      'main.tf',
      'locals {\n  k3s_version = "v1.31.1+k3s1"\n  web_image = "acme/web:1.2.3"\n}\n',
      ['2 k3s v1.31.1+k3s1', '3 acme/web 1.2.3'],
    ],
    [
      'a.tfvars',
      'talos_version = "v1.13.4"\nimage = { repository = "acme/web", tag = "1.2.3" }\n',
      ['1 talosctl v1.13.4', '2 acme/web 1.2.3'],
    ],
    [
      'main.tf',
      'module "a" {\n  source = "./a"\n  kubespray_version = "v2.28.1"\n}\n',
      ['3 kubespray v2.28.1 (no_source)', '2 ./a - (local)'],
    ],
    [
      'main.tf',
      'resource "azurerm_container_app" "a" {\n  template {\n    container {\n      image = "ghcr.io/acme/web:1.2.3"\n    }\n  }\n}\n',
      ['4 ghcr.io/acme/web 1.2.3'],
    ],
    [
      'main.tf',
      'resource "hcloud_server" "a" {\n  image = "ubuntu-24.04"\n}\nlocals {\n  image = "debian-cloud/debian-12"\n  app_version = "1.2.3"\n  db_password_version = "1.2"\n}\n',
      [],
    ],
  ])('is read from %s: %#', (path, text, expected) => {
    expect(linesOf(path, text)).toEqual(expected);
  });

  test("isn't repeated if a resource of the directory refers to it", () => {
    const files = {
      'main.tf': 'resource "docker_image" "web" {\n  name = var.web_image\n}\n',
      'variables.tf': 'variable "web_image" {\n  default = "ghcr.io/acme/web:1.2.3"\n}\n',
    };
    expect(describeItems(files)).toEqual(['ghcr.io/acme/web 1.2.3']);
  });

  test('can be a chart whose repository is in the surrounding object', () => {
    const text =
      'inputs = {\n  app = {\n    chart   = "prometheus"\n    version = "26.0.0"\n  }\n  repository = "https://charts.example.org"\n}\n';
    expect(linesOf('terragrunt.hcl', text)).toEqual(['4 prometheus 26.0.0']);
  });
});

describe('an Ansible variable', () => {
  test.each([
    ['roles/a/defaults/main.yml', 'cni_plugin_version: "1.3.0"\n', ['1 cni_plugin 1.3.0 (no_source)']],
    ['roles/a/defaults/main.yml', 'alloy_version: "1.3.1"\n', ['1 alloy 1.3.1 (no_source)']],
    ['group_vars/a.yml', 'acme_agent_version: "2.5.0p9"\n', ['1 acme_agent 2.5.0p9 (no_source)']],
    ['group_vars/a.yml', 'alloy_version_override: "1.3.1"\n', ['1 alloy 1.3.1 (no_source)']],
    ['group_vars/a.yml', 'alloy_version: alloy-1.3.1\n', ['1 alloy 1.3.1 (no_source)']],
    ['group_vars/a.yml', 'alloy_version: other-1.3.1\n', []],
    ['group_vars/a.yml', 'desired_alloy_version: 1.3.1\n', ['1 desired_alloy 1.3.1 (no_source)']],
    [
      'group_vars/all.yml',
      'cluster_api_infrastructure_version: 0.14.4\n',
      ['1 cluster_api_infrastructure 0.14.4 (no_source)'],
    ],
    [
      'site.yml',
      '- hosts: all\n  vars:\n    docker_compose_version: "2.24.0"\n  tasks: []\n',
      ['3 docker_compose 2.24.0'],
    ],
    [
      'roles/a/vars/main.yml',
      'images:\n  - name: acme/web\n    registry: registry.acme.io\n    tag: 3.0-amd64\n',
      ['4 registry.acme.io/acme/web 3.0-amd64'],
    ],
    ['roles/a/defaults/main.yml', 'web_image: acme/web\nweb_version: 1.2.3\n', ['1 acme/web 1.2.3']],
    [
      'roles/a/defaults/main.yml',
      'app_version: 1.2.3\nmetallb_helm_version: 0.8\ntls_version: 1.2\nweb_schema_version: 1.2.3\n',
      [],
    ],
  ])('in %s provides a version of software: %#', (path, text, expected) => {
    expect(linesOf(path, text)).toEqual(expected);
  });

  test.each([
    ['ruby_version_override: "ruby-4.0.4"', 'ruby', '4.0.4'],
    ['redis_version_override: "7.2.4"', 'redis', '7.2.4'],
    ['desired_nodejs_version: "v24.16.0"', 'node', 'v24.16.0'],
    ['default_ruby_version: "ruby-3.4.8"', 'ruby', '3.4.8'],
  ])(
    'is the version of software in the catalog with other words around its name: %s',
    (line, name, version) => {
      const { items } = discoverFiles({ 'group_vars/a.yml': `${line}\n` });
      expect(items).toMatchObject([{ artifact: { name }, version, version_state: 'exact' }]);
    },
  );

  test('is replaced by a Renovate comment that specifies its artifact', () => {
    const text = '# renovate: datasource=docker depName=ghcr.io/acme/web\nweb_version: 1.2.3\n';
    expect(linesOf('roles/a/defaults/main.yml', text)).toEqual(['2 ghcr.io/acme/web 1.2.3']);
  });
});

test('an image in a mirror of Docker Hub with an unknown host is identified as the official image', () => {
  const item = (text: string) =>
    discoverFiles({ 'roles/a/defaults/main.yml': `web_image: "${text}"\n` }).items[0];
  expect(item('{{ mirror }}/library/redis:7.2.1')).toMatchObject({
    version: '7.2.1',
    version_state: 'exact',
    proposal: { artifact_name: 'docker.io/library/redis', confidence: 'likely' },
  });
  expect(item('{{ mirror }}/acme/web:7.2.1')).toMatchObject({ reason: 'templated', proposal: null });
});

test("a kustomization can reference a repository in Git's short syntax without a user", () => {
  const text = 'kind: Kustomization\nresources:\n  - github.com:acme/manifests.git/web?ref=v1.2.3\n';
  expect(linesOf('kustomization.yaml', text)).toEqual(['3 github.com/acme/manifests v1.2.3']);
});

test.each([
  ['pages:\n  image: node:22.1\n  script:\n    - yarn\n', ['2 node 22.1']],
  ['image: docker:27.0.1\nbefore_script:\n  - docker info\n', ['1 docker 27.0.1']],
  ['web:\n  image: acme/web:1.2.3\n  command: serve\n', []],
])('a file of GitLab jobs without stages is recognized by its scripts: %#', (text, expected) => {
  expect(linesOf('ci/pages.yml', text)).toEqual(expected);
});

test('values can contain packages of Crossplane, and tags of images that a chart defines', () => {
  const text =
    'provider:\n  package: xpkg.example.org/acme/provider:v0.17.1\nweb:\n  image_tag: v1.17.3\n  imageTag: latest\n';
  expect(linesOf('values.yaml', text)).toEqual([
    '2 xpkg.example.org/acme/provider v0.17.1 (templated)',
    '4 values.yaml#web.image_tag v1.17.3 (no_source)',
  ]);
});

test('a Nomad pack yields the images of its templates and of the defaults of its variables', () => {
  const template =
    'job "a" {\n  task "b" {\n    config {\n      image = "ghcr.io/acme/web:[[ var "tag" . ]]"\n    }\n  }\n  task "c" {\n    config {\n      image = "busybox:1.36.1"\n    }\n  }\n  [[ template "d" . ]]\n}\n';
  expect(linesOf('packs/a/templates/a.nomad.tpl', template)).toEqual([
    '4 ghcr.io/acme/web ${tag} (templated)',
    '9 busybox 1.36.1',
  ]);
  const variables =
    'variable "image" {\n  default = {\n    registry = "ghcr.io"\n    image    = "acme/web"\n    tag      = "v1.2.3"\n  }\n}\nvariable "web_image" {\n  default = "acme/web:1.7.1"\n}\n';
  expect(linesOf('packs/a/variables.hcl', variables)).toEqual([
    '5 ghcr.io/acme/web v1.2.3',
    '9 acme/web 1.7.1',
  ]);
});

describe('a template of an Ansible role', () => {
  const files = { 'roles/web/defaults/main.yml': 'web_version: 1.2.3\n' };

  test.each([
    [
      'roles/web/templates/docker-compose.yml.j2',
      'services:\n  web:\n    image: "acme/web:{{ web_version }}"\n',
    ],
    ['roles/web/templates/web.container.j2', '[Unit]\n[Container]\nImage=acme/web:{{ web_version }}\n'],
  ])('has images whose version is a variable of the role: %s', (path, text) => {
    expect(linesOf(path, text, files)).toEqual(['3 acme/web 1.2.3']);
    expect(linesOf(path, text)).toEqual([expect.stringMatching(/^3 acme\/web .*\(templated\)$/)]);
  });

  test('keeps the image as written if the variable of its version is an expression', () => {
    const defaults = `web_version: "{{ lookup('env', 'V') | default('@latest', true) }}"\n`;
    const text = 'services:\n  web:\n    image: acme/web:{{ web_version }}\n';
    const items = linesOf('roles/web/templates/compose.yml.j2', text, {
      'roles/web/defaults/main.yml': defaults,
    });
    expect(items).toEqual(['3 acme/web {{ web_version }} (templated)']);
  });

  test('has no image if its name comes from a variable', () => {
    const text = 'services:\n  web:\n    image: "{{ web_image }}:{{ web_version }}"\n';
    expect(linesOf('roles/web/templates/compose.yml.j2', text)).toEqual([]);
  });
});

describe('the inputs of a workflow step', () => {
  const step = (uses: string, inputs: string) =>
    `jobs:\n  a:\n    steps:\n      - uses: ${uses}@v1.2.3\n        with:\n          ${inputs}\n`;
  test.each([
    ['acme/actions-markdownlint', 'version: 0.32.2', ['markdownlint 0.32.2 (no_source)']],
    ['acme/create-release', 'version: 0.32.2', []],
    ['acme/setup', 'version: 0.32.2', []],
    ['acme/scanner-action', 'version: "1"', []],
    ['actions/checkout', 'repository: acme/scripts\n          ref: v2.0.0', ['acme/scripts v2.0.0']],
    ['actions/checkout', 'ref: v2.0.0', []],
  ])('of %s yield the expected versions: %s', (uses, inputs, expected) => {
    const items = linesOf('.github/workflows/a.yml', step(uses, inputs));
    expect(items.filter((item) => !item.includes(uses)).map((item) => item.replace(/^\d+ /, ''))).toEqual(
      expected,
    );
  });
});

test('an image tag without an image in the inputs of Terragrunt is read as a version', () => {
  expect(
    linesOf(
      'live/web/terragrunt.hcl',
      'inputs = {\n  image_tag = "2.479-jdk17"\n  chart_version = "1.2.3"\n}\n',
    ),
  ).toEqual(['2 live/web/terragrunt.hcl#image_tag 2.479-jdk17 (no_source)']);
});

test('a variables template yields the versions of software that its variable names identify', () => {
  const text =
    'hosts: "{{ hosts }}"\nprometheus_version: "2.42.0"\nother_version: "{{ version }}"\ncase_version: 1.2.3\n';
  expect(linesOf('roles/a/templates/group_vars.yml.j2', text)).toEqual(['2 prometheus 2.42.0']);
});

describe('an object of Crossplane', () => {
  const release =
    'apiVersion: helm.crossplane.io/v1beta1\n        kind: Release\n        spec: { forProvider: { chart: { name: web, repository: "https://charts.example.org", version: 2.7.0 } } }\n';

  test.each([
    ['spec:\n  resources:\n    - name: a\n      base:\n        '],
    ['spec:\n  pipeline:\n  - input:\n     resources:\n     - base:\n        '],
  ])('contains the charts of the objects that it creates: %#', (start) => {
    const text = `apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: { name: web }\n${start}${release}`;
    expect(linesOf('composition.yaml', text).map((item) => item.replace(/^\d+ /, ''))).toEqual(['web 2.7.0']);
  });

  test('contains the providers and modules of its Terraform configuration', () => {
    const text =
      'apiVersion: tf.upbound.io/v1beta1\nkind: ProviderConfig\nmetadata: { name: a }\nspec:\n  configuration: |\n    terraform {\n      required_providers {\n        vault = {\n          source  = "hashicorp/vault"\n          version = "3.19.0"\n        }\n      }\n    }\n    module "vpc" {\n      source  = "terraform-google-modules/network/google"\n      version = "9.1.0"\n    }\n';
    expect(linesOf('config.yaml', text)).toEqual([
      '10 hashicorp/vault 3.19.0',
      '16 terraform-google-modules/network/google 9.1.0',
    ]);
  });
});

describe('an image in an expression or a text of Terraform', () => {
  test.each([
    ['jsonencode', 'container_definitions = jsonencode([{\n    image = "acme/web:1.2.3"\n  }])'],
    [
      'a heredoc',
      'container_definitions = <<DEFINITION\n[{ "name": "a" },\n "image": "acme/web:1.2.3",\n]\nDEFINITION',
    ],
    ['a list', 'containers = [for name in var.names : {\n    image = "acme/web:1.2.3"\n  }]'],
  ])('is read from %s', (_, attribute) => {
    const text = `resource "aws_ecs_task_definition" "web" {\n  ${attribute}\n}\n`;
    expect(linesOf('main.tf', text).map((line) => line.slice(2))).toEqual(['acme/web 1.2.3']);
  });

  test('is not read if it can be the image of a machine', () => {
    const text = 'resource "acme_vm" "web" {\n  disks = [{\n    image = "ubuntu:22.04"\n  }]\n}\n';
    expect(linesOf('main.tf', text)).toEqual([]);
  });
});

describe('an input of a pipeline', () => {
  const step = (uses: string, version: string) =>
    `on: push\njobs:\n  a:\n    steps:\n      - uses: ${uses}\n        with:\n          version: "${version}"\n`;

  test.each([
    [
      'docker/setup-docker-action@v5.4.0',
      'type=archive,channel=stable,version=v28.5.2',
      ['7 docker v28.5.2 (no_source)'],
    ],
    ['docker/setup-docker-action@v5.4.0', 'version=28.5.2', ['7 docker 28.5.2 (no_source)']],
    ['docker/setup-docker-action@v5.4.0', 'type=image,channel=stable', []],
    ['psf/black@26.3.1', '~=23.0', ['7 black ~=23.0 (range)']],
    ['psf/black@26.3.1', '==23.1.0', ['7 black 23.1.0 (no_source)']],
    ['acme/notes@v1.2.3', 'next', []],
  ])('sets the version of a tool of a GitHub action: %#', (uses, version, expected) => {
    const lines = linesOf('.github/workflows/a.yml', step(uses, version));
    expect(lines.filter((line) => line.startsWith('7 '))).toEqual(expected);
  });

  test('sets images and versions of known software in GitLab', () => {
    const include = `include:
  - component: gitlab.com/acme/ci/deploy@1.0.0
    inputs:
      stage: deploy
      runner-image: alpine:3.20
      terraform_version: 1.9.5
      my_version: 1.0.0
`;
    const header = `spec:
  inputs:
    image:
      default: ghcr.io/acme/build:2.0.0
    helm_version:
      default: 3.15.1
    target:
---
deploy:
  image: $[[ inputs.image ]]
  script: [deploy]
`;
    expect(linesOf('.gitlab-ci.yml', include)).toEqual([
      '2 gitlab.com/acme/ci 1.0.0',
      '5 alpine 3.20',
      '6 terraform 1.9.5',
    ]);
    expect(linesOf('templates/deploy.yml', header)).toEqual([
      '4 ghcr.io/acme/build 2.0.0',
      '6 helm 3.15.1',
      '10 ${inputs.image} - (templated)',
    ]);
  });
});

test('an image of Terraform has its tag even if only Terraform knows its registry', () => {
  const text = `module "web" {
  source    = "acme/container/google"
  container = {
    image = "\${var.region}-docker.pkg.dev/\${var.project}/web:1.2.3"
  }
}
resource "google_cloud_run_v2_service" "job" {
  template {
    containers {
      image = "europe-docker.pkg.dev/\${google_registry.docker.id}/job:latest"
    }
  }
}
`;
  const images = linesOf('main.tf', text).filter((line) => line.includes('docker.pkg.dev'));
  expect(images).toEqual([
    '4 ${var.region}-docker.pkg.dev/${var.project}/web 1.2.3 (templated)',
    '10 europe-docker.pkg.dev/${google_registry.docker.id}/job latest (templated)',
  ]);
});

test.each([
  ['values.yaml', `image:\n  tag: 1.2.3@sha256:${'a'.repeat(64)}\n`],
  ['prod.tfvars', `web_image_tag = "1.2.3@sha256:${'a'.repeat(64)}"\n`],
])('a tag without an image is separated from its digest: %s', (path, text) => {
  expect(discoverFiles({ [path]: text }).items).toMatchObject([
    { version: '1.2.3', digest: `sha256:${'a'.repeat(64)}` },
  ]);
});

describe('a literal of a generated ConfigMap', () => {
  const generator = (literals: string) =>
    `configMapGenerator:\n  - name: web\n    literals:\n      - ${literals.replaceAll('\n', '\n      - ')}\n`;

  test.each([
    ['PROXY_IMAGE=ghcr.io/acme/proxy:1.2.3', ['4 ghcr.io/acme/proxy 1.2.3']],
    ['MODE=a\n"ETCD_VERSION=3.6.4"', ['5 etcd 3.6.4']],
    ['SCANNER_VERSION=1.2.3\nAPP_VERSION=1.2.3\nPROXY_IMAGE=logo.png\nETCD_VERSION=$V', []],
  ])('provides images and versions of known software: %#', (literals, expected) => {
    expect(linesOf('kustomization.yaml', generator(literals))).toEqual(expected);
  });

  test.each([
    ['generatorOptions: { disableNameSuffixHash: true }\n', ['kustomization.yaml:5 redis 7.2.1']],
    ['', ['apps/pod.yaml:4 redis ${REDIS_VERSION} (templated)', 'kustomization.yaml:4 redis 7.2.1']],
  ])('is a variable of Flux only if its ConfigMap has a fixed name: %#', (options, expected) => {
    const files = {
      'kustomization.yaml': `${options}${generator('REDIS_VERSION=7.2.1')}`,
      'flux.yaml':
        'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: a, namespace: a }\nspec:\n  path: ./apps\n  postBuild: { substituteFrom: [{ kind: ConfigMap, name: web }] }\n',
      'apps/pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: a, image: "redis:${REDIS_VERSION}" }] }\n',
    };
    const found = discoverFiles(files, { known: knownSources }).items.map(
      ({ place, artifact, version, reason }) =>
        `${place.file}:${place.line} ${artifact.name} ${version}${reason === null ? '' : ` (${reason})`}`,
    );
    expect(found.toSorted()).toEqual(expected);
  });
});

describe('a parameter of an Application in a template of a chart', () => {
  const application = (parameters: string, path = 'charts/web') => `{{- if .Values.web.enabled }}
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: web
spec:
  source:
    repoURL: {{ .Values.repoURL }}
    targetRevision: HEAD
    path: ${path}
    helm:
      parameters:
${parameters}
  destination:
    name: in-cluster
{{- end }}
`;
  const parameter = (name: string, value: string) => `      - name: ${name}\n        value: ${value}\n`;
  const own = { 'apps/Chart.yaml': 'apiVersion: v2\nname: apps\nversion: 1.0.0\n' };

  test.each([
    [
      parameter('image.tag', '1.2.3') + parameter('replicas', '2'),
      ['14 acme/base 1.2.3', '3 acme/base 1.0.0 (overridden)'],
    ],
    [parameter('image.tag', '{{ .Values.tag }}'), ['3 acme/base 1.0.0']],
    [
      `{{- if .Values.a }}\n${parameter('image.tag', '1.2.3')}{{- else }}\n${parameter('image.tag', '1.2.4')}{{- end }}`,
      ['3 acme/base 1.0.0'],
    ],
  ])('sets the image in the values of the directory: %#', (parameters, expected) => {
    const found = linesOf('apps/templates/web.yaml', application(parameters), {
      ...own,
      'apps/values.yaml': 'tag: 3.2.1\n',
      'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'charts/web/values.yaml': 'image:\n  repository: acme/base\n  tag: 1.0.0\n',
    });
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test.each([
    [parameter('image.tag', '1.2.3'), []],
    [
      parameter('image.repository', 'ghcr.io/acme/web') + parameter('image.tag', '"1.2.3"'),
      ['16 ghcr.io/acme/web 1.2.3'],
    ],
    [
      parameter('image.repository', 'ghcr.io/acme/web') + parameter('image.tag', '{{ .Values.tag }}'),
      ['1 ghcr.io/acme/web 3.2.1'],
    ],
  ])('needs its repository if only rendering shows the directory: %#', (parameters, expected) => {
    const text = application(parameters, '{{ .Values.path }}');
    const found = linesOf('apps/templates/web.yaml', text, { ...own, 'apps/values.yaml': 'tag: 3.2.1\n' });
    expect(found).toEqual(expected);
  });
});
