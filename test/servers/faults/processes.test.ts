import { testFaults } from './faultTests.ts';

testFaults('processes');
