import { artifactKey } from '../../domain/discovery/artifact-key.ts';
import type { DiscoveredItem } from '../../domain/discovery/discover.ts';
import {
  type PreviewInput,
  type PreviewResult,
  previewDeadlineMs,
} from '../../domain/discovery/preview-files.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { type Sandbox, SandboxBusyError, SandboxError } from '../../platform/sandbox/index.ts';
import { readAliases, readSettings } from '../settings/index.ts';
import { checkCustomExtractors, checkLabelRules } from './discovery-jobs/check-discovery-job.ts';
import { toCustomExtractor } from './discovery-jobs/discovery-job-edits.ts';

export function previewHandlers({
  db,
  sandbox,
}: {
  db: Database;
  sandbox: Sandbox;
}): Handlers<'previewDiscovery'> {
  return {
    async previewDiscovery({ caller, body }) {
      const labelRules = body.label_rules.map(({ pattern, labels = {} }) => ({ pattern, labels }));
      await checkLabelRules(labelRules);
      const jobExtractors = body.custom_extractors.map(toCustomExtractor);
      await checkCustomExtractors(jobExtractors);
      const given = body.organization_extractors?.map(toCustomExtractor);
      if (given) await checkCustomExtractors(given, 'organization_extractors');
      const customExtractors = [
        ...jobExtractors,
        ...(given ?? (await readSettings(db, caller.organizationId))['discovery.custom_extractors']),
      ];
      const result = await preview(sandbox, caller.organizationId, {
        files: body.files,
        labelRules,
        customExtractors,
        aliases: (await readAliases(db, caller.organizationId)).map(({ prefix, upstream_prefix }) => ({
          prefix,
          upstream_prefix,
        })),
      });
      return {
        status: 200,
        body: {
          items: result.items.map(toPreviewedItem),
          omitted_count: result.omittedCount,
          problems: result.problems.map(({ file, line, reason, message }) => ({
            file,
            line,
            reason,
            message,
          })),
          silent_files: result.silentFiles,
          pattern_problems: result.patternProblems,
        },
      };
    },
  };
}

/** Reads the files in the sandbox, because they are untrusted. */
async function preview(
  sandbox: Sandbox,
  organizationId: number,
  input: PreviewInput,
): Promise<PreviewResult> {
  try {
    return await sandbox.run<PreviewInput, PreviewResult>(
      new URL('../../domain/discovery/preview-files.ts', import.meta.url),
      'previewFiles',
      input,
      { deadlineMs: previewDeadlineMs, fairKey: String(organizationId) },
    );
  } catch (error) {
    if (error instanceof SandboxBusyError)
      throw new ApiError('unavailable', 'Too many concurrent previews. Try again shortly.');
    if (error instanceof SandboxError) throw invalidField('files', `can't be read: ${error.message}`);
    throw error;
  }
}

function toPreviewedItem(item: DiscoveredItem): Schemas['PreviewedItem'] {
  const {
    extractor,
    key,
    place,
    version,
    version_state,
    digest,
    note,
    labels,
    label_sources,
    proposal,
    reason,
    renovate_ignore,
  } = item;
  return {
    extractor,
    key,
    place,
    artifact: {
      ...item.artifact,
      key: artifactKey(item.artifact),
    },
    version,
    version_state,
    digest,
    note,
    labels,
    label_sources,
    proposal: {
      source_type: proposal?.source_type ?? null,
      artifact_name: proposal?.artifact_name ?? null,
      source_options: proposal?.source_options ?? {},
      is_confirmed: false,
      confidence: proposal?.confidence ?? 'none',
      why: proposal?.why ?? null,
      candidates: [],
    },
    reason,
    renovate_ignore,
  };
}
