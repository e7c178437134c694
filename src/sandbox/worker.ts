// The sandbox's process: its main thread listens to the extension, a second thread runs the jobs. So the process notices that the extension
// has ended, in whatever way, while a job runs forever.
import { isMainThread, type MessagePort, parentPort, Worker } from 'node:worker_threads';
import type { Job } from './job.ts';
import { memory } from './job.ts';

if (isMainThread) supervise();
else if (parentPort) await work(parentPort);

function supervise(): void {
	const thread = new Worker(new URL(import.meta.url), { resourceLimits: memory, env: {} });
	thread.on('message', (message) => process.send?.(message));
	process.on('message', (job) => thread.postMessage(job));
	// Not `exit`, which would wait for the thread.
	const end = () => process.kill(process.pid, 'SIGKILL');
	thread.on('error', end);
	process.on('disconnect', end);
}

/** Reports that it has started, then answers each job with its outcome. */
async function work(port: MessagePort): Promise<void> {
	const [{ checkValue }, { renderTemplate }] = await Promise.all([
		import('./checkValue.ts'),
		import('./renderTemplate.ts'),
	]);
	port.on('message', (job: Job) => {
		switch (job.kind) {
			case 'validate':
				return port.postMessage(checkValue(job.schema, job.value));
			case 'render':
				return port.postMessage(renderTemplate(job.template, job.variables));
		}
	});
	port.postMessage('ready');
}
