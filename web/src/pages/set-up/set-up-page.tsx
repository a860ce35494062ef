import { Button, Text, Title } from '@mantine/core';
import { useApi } from '../../api/use-api.ts';
import { useCan } from '../../api/use-me.ts';
import { Loaded, Loading } from '../../components/loaded.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useNow } from '../../ui/relative-time.tsx';
import { ChannelStep } from './channel-step.tsx';
import { DeployedStep } from './deployed-step.tsx';
import { type Pair, previewRule } from './rule-preview.ts';
import { RuleStep } from './rule-step.tsx';
import classes from './set-up.module.css';
import { SetUpOutcome } from './set-up-outcome.tsx';
import { isDone, openStep, type Step, steps } from './set-up-steps.ts';
import {
  ChannelSummary,
  DeployedSummary,
  RuleSummary,
  UpstreamSummary,
  useGatherJob,
  useScrapeJob,
} from './set-up-summaries.tsx';
import { UpstreamStep } from './upstream-step.tsx';
import { usePair } from './use-pair.ts';
import { type SetUpState, useSetUp } from './use-set-up.ts';
import { WatchForm } from './watch-form.tsx';

const questions: Record<Step, { title: string; about: string }> = {
  upstream: {
    title: 'What software do you use?',
    about: 'Choose it and where its releases are published.',
  },
  deployed: {
    title: 'Which version do you run?',
    about: 'Enter it, or have Pacekeeper read it from Git.',
  },
  rule: {
    title: 'How far behind is too far?',
    about: 'Choose a rule that sets when to alert and at which severity.',
  },
  channel: { title: 'Who should be notified?', about: 'Choose a channel for alerts.' },
  start: { title: 'Review and start', about: 'Check the result of the rule, and name the monitor.' },
};

const introduction =
  'Complete five steps to get notified when you fall behind. You can leave at any time; Pacekeeper keeps your progress.';

/** From nothing to the first useful alert: each step makes something real, and can be left and gone on with. */
export default function SetUpPage() {
  const setUp = useSetUp();
  const canWrite = useCan('member');
  return (
    <>
      <div className={classes.header}>
        <PageHeader
          title="Guided setup"
          about={setUp.alertConfigId === null ? introduction : undefined}
          actions={
            canWrite &&
            setUp.alertConfigId === null &&
            (setUp.gatherJobId ?? setUp.scrapeJobId ?? setUp.ruleId) !== null && (
              <Button variant="default" onClick={setUp.begin}>
                Start over
              </Button>
            )
          }
        />
      </div>
      {canWrite ? (
        <SetUpSteps setUp={setUp} />
      ) : (
        <Text>Your role is read-only. Ask an administrator of your organization to set this up.</Text>
      )}
    </>
  );
}

function SetUpSteps({ setUp }: { setUp: SetUpState }) {
  const gatherJob = useGatherJob(setUp.gatherJobId);
  const scrapeJob = useScrapeJob(setUp.scrapeJobId);
  if (setUp.isLoading) return <Loading />;
  const open = openStep(setUp, setUp.wantedStep);
  const { gatherJobId, ruleId, alertConfigId } = setUp;
  const summary = (step: Step) => {
    if (step === 'upstream') return <UpstreamSummary job={gatherJob.data} />;
    if (step === 'deployed') return <DeployedSummary job={scrapeJob.data} />;
    if (step === 'rule') return ruleId === null ? null : <RuleSummary id={ruleId} />;
    if (step === 'start') return 'Started';
    return <ChannelSummary {...setUp} />;
  };
  return (
    <>
      <ol className={classes.steps}>
        {steps.map((step, index) => {
          const state = step === open ? 'open' : isDone(step, setUp) ? 'done' : 'ahead';
          const job = step === 'upstream' ? gatherJob.data : step === 'deployed' ? scrapeJob.data : undefined;
          return (
            <li
              key={step}
              className={classes.step}
              data-state={state}
              data-job={state === 'done' ? job?.status : undefined}
              aria-current={state === 'open' ? 'step' : undefined}
            >
              <div className={classes.head}>
                <span className={classes.number}>{index + 1}</span>
                <Title order={2}>{questions[step].title}</Title>
                <Text
                  component="div"
                  size="sm"
                  className={classes.summary}
                  c={state === 'done' ? undefined : 'var(--text-muted)'}
                >
                  {state === 'done' ? summary(step) : questions[step].about}
                </Text>
                {canCancel(step, open, setUp) && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    onClick={() => setUp.settle({})}
                    aria-label={`Cancel: ${questions[step].title}`}
                  >
                    Cancel
                  </Button>
                )}
                {state === 'done' && alertConfigId === null && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    onClick={() => setUp.goTo(step)}
                    aria-label={`Edit: ${questions[step].title}`}
                  >
                    Edit
                  </Button>
                )}
              </div>
              {state === 'open' && (
                <div className={classes.body}>
                  {gatherJobId !== null && gatherJob.isPending ? (
                    // A form that is made before the job is known would be made anew with it, without what was typed.
                    <Loaded query={gatherJob}>{() => null}</Loaded>
                  ) : (
                    <OpenStep
                      step={step}
                      setUp={setUp}
                      gatherJob={gatherJob.data}
                      scrapeJob={scrapeJob.data}
                    />
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ol>
      <div className={classes.steps}>
        {open === null && alertConfigId !== null && (
          <SetUpOutcome alertConfigId={alertConfigId} onNext={setUp.begin} />
        )}
      </div>
    </>
  );
}

/** A step that was complete can be left as it was. The one about the channel has its own button for that. */
function canCancel(step: Step, open: Step | null, setUp: SetUpState): boolean {
  return step === open && step !== 'channel' && isDone(step, setUp);
}

function OpenStep({
  step,
  setUp,
  gatherJob,
  scrapeJob,
}: {
  step: Step;
  setUp: SetUpState;
  gatherJob: ReturnType<typeof useGatherJob>['data'];
  scrapeJob: ReturnType<typeof useScrapeJob>['data'];
}) {
  const pair = usePair(gatherJob, scrapeJob);
  switch (step) {
    case 'upstream':
      return (
        <UpstreamStep
          key={gatherJob?.id}
          job={gatherJob}
          onSettled={(id) => setUp.settle({ gather_job_id: id })}
        />
      );
    case 'deployed':
      return (
        <DeployedStep
          key={gatherJob?.id}
          chosen={setUp.scrapeJobId === null ? undefined : scrapeJob}
          upstream={{
            gatherJobId: setUp.gatherJobId,
            name: gatherJob?.name ?? '',
            latestVersion: gatherJob?.latest_stable_version ?? gatherJob?.latest_version ?? null,
          }}
          onSettled={(id) => setUp.settle({ scrape_job_id: id })}
        />
      );
    case 'rule':
      return <RuleStep pair={pair} onSettled={(id) => setUp.settle({ rule_id: id })} />;
    case 'channel':
      return (
        <ChannelStep
          defaultChannelId={setUp.defaultChannelId}
          hasNotificationRules={setUp.hasNotificationRules}
          onBegin={() => setUp.goTo('channel')}
          onGoOn={() => setUp.settle({})}
          onNobody={() => setUp.settle({ notify: 'no' })}
        />
      );
    case 'start':
      return <StartStep setUp={setUp} pair={pair} name={scrapeJob?.name} />;
  }
}

function StartStep({
  setUp,
  pair,
  name,
}: {
  setUp: SetUpState;
  pair: Pair | null;
  name: string | undefined;
}) {
  const { gatherJobId, scrapeJobId, ruleId } = setUp;
  const now = useNow();
  const rule = useApi('getRule', { path: { id: ruleId ?? 0 } }, { enabled: ruleId !== null });
  if (gatherJobId === null || scrapeJobId === null || ruleId === null || name === undefined) return null;
  return (
    <WatchForm
      name={name}
      scrapeJobId={scrapeJobId}
      gatherJobId={gatherJobId}
      ruleId={ruleId}
      preview={pair && rule.data ? previewRule(rule.data, pair, now) : null}
      onSettled={(id) => setUp.settle({ alert_config_id: id })}
    />
  );
}
