import { readImagePage } from '../artifacts/image-pages.ts';
import { normalizeOciReference } from '../artifacts/oci-reference.ts';
import { imagePurl } from '../artifacts/purl.ts';
import type { SourceType } from './source-type.ts';

const registries =
  /^(?:(?:[\w-]+\.)*(?:docker|ghcr|quay|gcr)\.io|registry\.k8s\.io|mcr\.microsoft\.com|public\.ecr\.aws|registry\.gitlab\.com)$/u;

export const ociSourceType: SourceType = {
  label: 'Container registry',
  about: 'Tags of a container image, or of a Helm chart stored in an OCI registry.',
  shape: 'registry/path/name (no tag)',
  example: 'docker.io/library/postgres',
  defaultVersionScheme: 'auto',
  isImage: true,
  needsGit: false,
  options: [
    {
      name: 'artifact_type',
      label: 'Artifacts to track',
      description: 'Select one if the repository contains images and Helm charts with the same kind of tags.',
      isRequired: false,
      field: {
        kind: 'choice',
        choices: [
          ['', 'All tags'],
          ['image', 'Images'],
          ['chart', 'Helm charts'],
        ],
      },
    },
  ],
  normalizeArtifactName: normalizeOciReference,
  recognize({ text, host, path }) {
    if (/^(?:\w+\s+)?\w+\s+pull\s/iu.test(text) || /^(?:oci|docker):/iu.test(text)) return 'form';
    if (readImagePage(text) !== null) return 'form';
    return path.length > 0 && registries.test(host) ? 'host' : null;
  },
  purlOf: imagePurl,
};
