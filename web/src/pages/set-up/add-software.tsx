import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { possibleSources } from '../../../../src/domain/source-types/guess-source.ts';
import { IncompleteError } from '../../api/describe-error.ts';
import { queryClient } from '../../api/query-client.ts';
import { ApiCallError } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ExistingConfigLink } from '../../components/existing-config-link.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Loading } from '../../components/loaded.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { Section } from '../../ui/facts.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { createSoftware } from './create-software.ts';
import { DeployedSection } from './deployed-section.tsx';
import type { RulePreviewInput } from './rule-preview.ts';
import { RuleSection, ruleChoices } from './rule-section.tsx';
import classes from './set-up.module.css';
import { SetUpOutcome } from './set-up-outcome.tsx';
import { type Existing, toConfiguration } from './software-configuration.ts';
import { useSoftwareDraft } from './software-draft.ts';
import {
  emptySoftware,
  rulePresetValue,
  type SoftwareValues,
  suggestName,
  unrecognizedSourceError,
} from './software-values.ts';
import { SourceSection } from './source-section.tsx';
import { findCandidateSource, useSource } from './use-source.ts';

const formId = 'add-software';
const nameTaken = 'This name is already used. Enter another one.';

/**
 * Page for adding software. Shows the outcome after the software is added.
 * @param children Additional sections, such as the channel.
 * @param completeOthers Saves the input of the additional sections. Software is added only if that succeeds.
 */
export function AddSoftware({
  page,
  alertConfigId,
  title,
  about,
  completeOthers = async () => true,
  children,
}: {
  page: '/set-up' | '/software/new';
  /** ID of the added alert configuration, from the URL. */
  alertConfigId: string | undefined;
  title: string;
  about: string;
  completeOthers?: () => Promise<boolean>;
  children?: React.ReactNode;
}) {
  const isDone = /^[1-9]\d*$/.test(alertConfigId ?? '');
  const navigate = useNavigate();
  const canWrite = useHasRole('member');
  const draft = useSoftwareDraft();
  // A new key remounts the form, which resets its state.
  const [round, setRound] = useState(0);
  const restart = () => {
    draft.clear();
    setRound((before) => before + 1);
    void navigate({ to: page });
  };
  return (
    <div className={classes.page}>
      <PageHeader
        title={title}
        about={isDone ? undefined : about}
        parent={
          page === '/software/new'
            ? { to: '/software', title: 'Software' }
            : { to: '/connect', title: 'Connect' }
        }
      />
      {isDone ? (
        <SetUpOutcome alertConfigId={Number(alertConfigId)} onNext={restart} />
      ) : canWrite ? (
        <SoftwareForm key={round} draft={draft} page={page} restart={restart} completeOthers={completeOthers}>
          {children}
        </SoftwareForm>
      ) : (
        <Text>Your role is read-only. Ask an administrator of your organization to add software.</Text>
      )}
    </div>
  );
}

/** Returns the existing resources, or `null` until all of them are loaded. */
function useExisting() {
  const gatherJobs = useApi('listGatherJobsDropdown');
  const globalGatherJobs = useApi('listGlobalGatherJobsDropdown');
  const scrapeJobs = useApi('listScrapeJobsDropdown');
  const ruleNames = useApi('listRulesDropdown');
  const rules = useApi('listRules', { query: { is_active: true, limit: 200, sort: 'name' } });
  const settings = useApi('listEffectiveSettings');
  const all = [gatherJobs, globalGatherJobs, scrapeJobs, ruleNames, rules, settings];
  const error = all.find((query) => query.error !== null && query.data === undefined)?.error ?? null;
  if (!gatherJobs.data || !globalGatherJobs.data || !scrapeJobs.data) return { error, existing: null };
  if (!ruleNames.data || !rules.data || !settings.data) return { error, existing: null };
  const labelOf = (key: string, usual: string) => {
    const value = settings.data.items.find((setting) => setting.key === key)?.value;
    return typeof value === 'string' ? value : usual;
  };
  return {
    error: null,
    existing: {
      gatherJobs: gatherJobs.data,
      globalGatherJobs: globalGatherJobs.data,
      scrapeJobs: scrapeJobs.data,
      rules: ruleNames.data,
      activeRules: rules.data.items,
      environmentKey: labelOf('environments.label', 'environment'),
      serviceKey: labelOf('environments.service_label', 'service'),
    },
  };
}

type Known = NonNullable<ReturnType<typeof useExisting>['existing']>;

interface FormProps {
  draft: ReturnType<typeof useSoftwareDraft>;
  page: '/set-up' | '/software/new';
  restart: () => void;
  completeOthers: () => Promise<boolean>;
  children: React.ReactNode;
}

function SoftwareForm(props: FormProps) {
  const { existing, error } = useExisting();
  if (error !== null) return <ErrorNotice error={error} retry={() => void queryClient.invalidateQueries()} />;
  return existing === null ? <Loading /> : <LoadedForm {...props} existing={existing} />;
}

function LoadedForm({
  draft,
  page,
  restart,
  completeOthers,
  children,
  existing,
}: FormProps & { existing: Known }) {
  const navigate = useNavigate();
  const taken = new Set(existing.scrapeJobs.map(({ name }) => name));
  const choices = ruleChoices(existing.activeRules);
  const ruleOf = (given: SoftwareValues) => {
    const offered = [...choices.existing, ...choices.readyMade].map(({ value }) => value);
    const isOffered = offered.includes(given.rule) || given.rule === rulePresetValue(null);
    return isOffered ? given.rule : (offered[0] ?? rulePresetValue(null));
  };
  const form = useForm<SoftwareValues>({
    initialValues: draft.initial,
    onValuesChange: (values) => draft.store(values),
    validate: {
      artifact_name: (text, given) =>
        given.gather_job_id === null && text.trim() !== '' && possibleSources(text).length === 0
          ? unrecognizedSourceError(text)
          : null,
      source_type: (_, given) =>
        given.gather_job_id === null &&
        findCandidateSource(given) === null &&
        possibleSources(given.artifact_name).length > 0
          ? 'Select a source type.'
          : null,
      name: (name, given) =>
        given.way !== 'existing' && taken.has(name.trim()) && draft.unanswered(given) === null
          ? nameTaken
          : null,
      rule_name: (name, given) =>
        ruleOf(given) === rulePresetValue(null) &&
        existing.rules.some((each) => each.name === name.trim()) &&
        draft.unanswered(given) === null
          ? nameTaken
          : null,
      scrape_job_id: (id, { way }) =>
        way === 'existing' && id === null ? 'Select a version tracker.' : null,
    },
  });
  const { values } = form;
  const source = useSource(values);
  const rule = ruleOf(values);
  const named = source.candidate ?? source.gatherJob ?? null;
  const suggestedName = suggestName(named, values.environment, taken);
  const [found, onVersion] = useFoundVersion(values);
  const deployedVersion = deployedVersionOf(values, existing, found);
  const { releases, preview, gatherJob } = source;
  const pair: RulePreviewInput | null =
    releases === null || deployedVersion === null
      ? null
      : {
          deployedVersion,
          releases,
          listed: gatherJob,
          isPreview: gatherJob === undefined,
          isPart: gatherJob === undefined && !preview?.is_complete,
        };
  const target = deployedVersion === null ? null : source.targetOf(deployedVersion);
  const documentOf = async (given: SoftwareValues) => {
    const gatherJobId = await source.settle(given);
    return toConfiguration(
      given,
      {
        name: given.name.trim() === '' ? suggestedName : given.name.trim(),
        sourceName: suggestName(source.candidate, '', new Set(existing.gatherJobs.map((job) => job.name))),
        source: gatherJobId === null ? source.candidate : null,
        gatherJobId,
        rule,
        environmentKey: existing.environmentKey,
        serviceKey: existing.serviceKey,
      },
      existing satisfies Existing,
    );
  };
  const { onSubmit, error, isBusy } = useSubmit(form, async (given) => {
    // If the channel can't be saved, stop, because leaving the page would discard its form.
    if (!(await completeOthers()))
      throw new IncompleteError(
        "The channel wasn't created. Fix its fields or select Cancel in its form, then try again.",
      );
    const document = draft.unanswered(given) ?? (await documentOf(given));
    draft.begin(given, document);
    const id = await createSoftware(document).catch((failure: unknown) => {
      if (isAnswered(failure)) draft.end();
      throw failure;
    });
    draft.clear();
    await queryClient.invalidateQueries();
    await navigate({ to: page, search: { alert_config_id: String(id) } });
  });
  const isTyped = JSON.stringify(values) !== JSON.stringify(emptySoftware);
  return (
    <>
      <form id={formId} onSubmit={onSubmit}>
        <Section title="Software">
          <SourceSection form={form} source={source} />
        </Section>
        <Section title="Deployed version">
          <DeployedSection
            form={form}
            versions={source.versions}
            suggestedName={suggestedName}
            environmentKey={existing.environmentKey}
            serviceKey={existing.serviceKey}
            onVersion={onVersion}
          />
        </Section>
        <Section title="Rule">
          <RuleSection form={form} choices={choices} rule={rule} pair={pair} target={target} />
        </Section>
      </form>
      {children}
      <ExistingConfigLink error={error} />
      <FormActions submit="Add software" isBusy={isBusy} error={error} form={formId}>
        {isTyped && (
          <Button variant="default" onClick={restart}>
            Start over
          </Button>
        )}
      </FormActions>
    </>
  );
}

/** True if it's certain that the request added nothing. */
function isAnswered(failure: unknown): boolean {
  if (!(failure instanceof ApiCallError)) return true;
  return failure.status !== null && ![401, 502, 503, 504].includes(failure.status);
}

/** Returns the version that a preview found for the current form values, and a function to store it. */
function useFoundVersion(values: SoftwareValues) {
  const { way, repository_url, target_file, parse_expression, parser_type, url, query, label, series } =
    values;
  const place = JSON.stringify([
    way,
    repository_url,
    target_file,
    parse_expression,
    parser_type,
    url,
    query,
    label,
    series,
  ]);
  const [found, setFound] = useState<{ place: string; version: string } | null>(null);
  const onVersion = (version: string) => setFound({ place, version });
  return [found?.place === place ? found.version : null, onVersion] as const;
}

function deployedVersionOf(values: SoftwareValues, existing: Known, found: string | null): string | null {
  if (values.way === 'existing')
    return existing.scrapeJobs.find(({ id }) => id === values.scrape_job_id)?.latest_version ?? null;
  if (values.way !== 'manual') return found;
  return values.version.trim() === '' ? null : values.version.trim();
}
