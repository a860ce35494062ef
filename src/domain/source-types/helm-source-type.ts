import { normalizeChartName } from '../artifacts/chart-names.ts';
import { chartPurl } from '../artifacts/purl.ts';
import type { SourceType } from './source-type.ts';

export const helmSourceType: SourceType = {
  label: 'Helm chart',
  about: 'Versions of one chart in a Helm repository.',
  shape: 'repository URL / chart name',
  example: 'charts.jetstack.io/cert-manager',
  defaultVersionScheme: 'semver',
  isImage: false,
  needsGit: false,
  options: [
    {
      name: 'version_field',
      label: 'Version to track',
      description: 'Match what you deploy: the chart version, or the version of the app inside it.',
      isRequired: false,
      field: {
        kind: 'choice',
        choices: [
          ['', 'Chart version'],
          ['app_version', 'App version'],
        ],
      },
    },
  ],
  normalizeArtifactName: normalizeChartName,
  recognize({ text, address, host, path }) {
    if (/^(?:s3|gs):\/\//iu.test(text)) return 'form';
    if (/\/index\.yaml(?:\s|$)|\.tgz$/u.test(address)) return 'form';
    return path.length > 0 && /^(?:charts?|helm)\.|\.github\.io$/u.test(host) ? 'ending' : null;
  },
  purlOf(artifactName) {
    const slash = artifactName.lastIndexOf('/');
    return chartPurl(artifactName.slice(0, slash), artifactName.slice(slash + 1));
  },
};
