import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../api/use-action.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ScrapeJobForm } from './scrape-job-form.tsx';

export default function NewScrapeJobPage() {
  const navigate = useNavigate();
  const create = useAction('createScrapeJob', { quiet: true, done: 'The scrape job is made.' });
  return (
    <>
      <PageHeader
        title="New scrape job"
        parent={{ to: '/scrape-jobs', title: 'Scrape jobs' }}
        about="Learns which version of one thing is deployed."
      />
      <ScrapeJobForm
        submit="Create scrape job"
        save={async (body) => {
          const job = await create.mutateAsync({ body });
          await navigate({ to: '/scrape-jobs/$id', params: { id: String(job.id) } });
        }}
        onCancel={() => void navigate({ to: '/scrape-jobs' })}
      />
    </>
  );
}
