import { chromium } from 'playwright';
const [,, port, n='6', throttle='4'] = process.argv;
const b = await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell',args:['--no-sandbox','--autoplay-policy=no-user-gesture-required','--mute-audio']});
for (const width of [390,1280]) for (let i=0;i<+n;i++) {
  const ctx = await b.newContext({viewport:{width,height:844}});
  const page = await ctx.newPage();
  const cdp = await ctx.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate',{rate:+throttle});
  await page.addInitScript(()=>{ window.__s=[]; new PerformanceObserver(l=>l.getEntries().forEach(e=>window.__s.push({v:e.value,t:Math.round(e.startTime),src:e.sources.map(s=>({n:s.node&&(s.node.nodeType===1?s.node.outerHTML.slice(0,120):s.node.nodeName+':'+s.node.textContent.slice(0,60)),p:[s.previousRect.x,s.previousRect.y,s.previousRect.width,s.previousRect.height],c:[s.currentRect.x,s.currentRect.y,s.currentRect.width,s.currentRect.height]}))}))).observe({type:'layout-shift',buffered:true}); });
  for (const path of ['', '/p/lullabies', '/p/lullabies/for-a-satellite']) {
    await page.goto(`http://staging-ada.altavoz.localhost:${port}/en${path}`,{waitUntil:'networkidle'});
    await page.waitForTimeout(100);
    const s = await page.evaluate(()=>window.__s);
    if (s.length) console.log(width,i,path,JSON.stringify(s));
  }
  await ctx.close();
}
console.log('done'); await b.close();
