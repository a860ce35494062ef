import { PageHeader } from '../../ui/page-header.tsx';

export default function NewAlertConfigPage() {
  return <PageHeader title="NewAlertConfig" />;
}
